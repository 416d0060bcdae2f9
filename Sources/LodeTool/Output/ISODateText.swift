// SPDX-License-Identifier: Apache-2.0

/// Writes dates of ISO 8601 as imports read them: in UTC, in the Gregorian calendar, also before
/// 1582, where Foundation changes to the Julian one.
enum ISODateText {
    /// The date of a number of seconds since 2001-01-01 00:00:00 UTC, in the years 1 to 9999.
    ///
    /// The fraction has 0, 3, 6 or 9 digits: as many as reading the text again asks for.
    static func text(_ seconds: Double) -> String {
        var (whole, fraction) = parts(of: seconds)
        let day = (whole / 86_400).rounded(.down)
        whole -= day * 86_400
        if !fraction.isEmpty { fraction = ".\(fraction)" }
        let time = Int(whole)
        return "\(date(Int(day)))T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):"
            + "\(padded(time % 60, 2))\(fraction)Z"
    }

    /// Whole seconds, and the digits of the fraction.
    private static func parts(of seconds: Double) -> (whole: Double, fraction: String) {
        let whole = seconds.rounded(.down)
        if whole == seconds { return (whole, "") }
        for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let value = ((seconds - whole) * scale).rounded()
            if value < scale, digits == 9 || whole + value / scale == seconds {
                return (whole, padded(Int(value), digits))
            }
        }
        return (whole + 1, "")
    }

    /// Counts with years that start in March, so that the leap day is the last of its year.
    private static func date(_ daysSince2001: Int) -> String {
        let days = daysSince2001 + 730_791
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9, 2))-"
            + padded(day, 2)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
