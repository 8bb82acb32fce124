internal import CairnStorage
internal import Foundation

/// How much a `Logger` says.
public enum LogLevel: Int, Sendable, Comparable, CustomStringConvertible {
    case off = 0
    case fatal
    case error
    case warn
    case info
    case detail
    case debug
    case trace
    case all

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    public var description: String {
        switch self {
        case .off: "off"
        case .fatal: "fatal"
        case .error: "error"
        case .warn: "warn"
        case .info: "info"
        case .detail: "detail"
        case .debug: "debug"
        case .trace: "trace"
        case .all: "all"
        }
    }
}

/// Where the library writes what nobody asked for but somebody should know: damage met while reading, a
/// write that was dropped, a stored value that does not fit its property.
///
/// Any thread may use one.
public final class Logger: Sendable {
    private struct State {
        var level: LogLevel
    }

    private let state: Guarded<State>
    private let logFunction: @Sendable (LogLevel, String) -> Void

    // Held in a lock because it may be replaced at any time.
    private static let current = Guarded(
        Logger(level: .info) { level, message in
            FileHandle.standardError.write(Data("Cairn: \(level): \(message)\n".utf8))
        })

    /// - Parameters:
    ///   - level: messages of a higher number are left out.
    ///   - logFunction: called on the thread that has something to say, which may hold a write open: it
    ///     should not use the database.
    public init(level: LogLevel = .info, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
        state = Guarded(State(level: level))
        self.logFunction = logFunction
    }

    /// The most talkative level that is let through. `.info` at first.
    public var level: LogLevel {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// The logger in use: the standard error output at first.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Writes a message if the level lets it through.
    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level <= self.level, level != .off else { return }
        logFunction(level, message())
    }
}
