internal import Foundation

/// The order of a dictionary, by Unicode's root collation.
enum RootCollation {
    // Not `en_US_POSIX`, whose collation is the order of ASCII.
    private static let locale = Locale(identifier: "root")

    static func compare(_ left: String, _ right: String) -> Int {
        left.compare(right, options: [], range: nil, locale: locale).rawValue
    }
}
