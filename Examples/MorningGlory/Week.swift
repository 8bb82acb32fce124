import Foundation

/// The calendar of the app, which is that of UTC so that it is the same everywhere, and its words.
package enum Week {
    package static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package static func isSameDay(_ left: Date, _ right: Date) -> Bool {
        calendar.isDate(left, inSameDayAs: right)
    }

    /// The first second of the seven days from a date on.
    package static func days(from date: Date) -> [Date] {
        let first = calendar.startOfDay(for: date)
        return (0..<7).compactMap { calendar.date(byAdding: .day, value: $0, to: first) }
    }

    package static func moment(_ hour: Int, _ minute: Int, of day: Date) -> Date {
        day.addingTimeInterval(Double(hour * 3_600 + minute * 60))
    }

    /// `Mon 2 Mar`.
    package static func dayText(_ date: Date) -> String {
        let parts = calendar.dateComponents([.weekday, .day, .month], from: date)
        guard let weekday = parts.weekday, let day = parts.day, let month = parts.month else { return "" }
        return "\(dayNames[weekday - 1]) \(day) \(monthNames[month - 1])"
    }

    /// `06:30`.
    package static func timeText(_ date: Date) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        return [parts.hour ?? 0, parts.minute ?? 0].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
