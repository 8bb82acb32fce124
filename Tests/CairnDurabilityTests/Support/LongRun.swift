import Foundation

/// The long form of the random tests, which the environment asks for.
enum LongRun {
    static let isWanted = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil
}
