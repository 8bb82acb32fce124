internal import Foundation

/// The order of a dictionary, by Unicode's root collation.
enum RootCollation {
    private static let locale = Locale(identifier: "en_US_POSIX")

    static func compare(_ left: String, _ right: String) -> Int {
        left.compare(right, options: [], range: nil, locale: locale).rawValue
    }
}
