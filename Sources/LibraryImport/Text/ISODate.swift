// SPDX-License-Identifier: Apache-2.0

/// Reads dates of ISO 8601 without Foundation and without allocation.
///
/// Read are `2009-01-31`, and that with `T`, `t` or a space and `23:59`, `23:59:59`, a fraction
/// after `.` or `,`, and `Z`, `z`, `+02`, `+0200` or `+02:00`. Without a zone, UTC is meant. The
/// calendar is Gregorian, also before 1582.
package enum ISODate {
    /// Seconds since 2001-01-01 00:00:00 UTC, `nil` for any other text.
    package static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.count >= 10 else { return nil }
        var rest = text
        guard let year = number(4, &rest), take(0x2D, &rest),
            let month = number(2, &rest), take(0x2D, &rest),
            let day = number(2, &rest),
            1...12 ~= month, day >= 1, day <= dayCount(month: month, year: year)
        else { return nil }
        let midnight = daysSince2001(year: year, month: month, day: day) * 86_400
        if rest.isEmpty { return Double(midnight) }
        guard let separator = rest.first, separator | 0x20 == 0x74 || separator == 0x20 else {
            return nil
        }
        rest = rest.dropFirst()
        guard let time = time(&rest), let offset = zone(&rest), rest.isEmpty else { return nil }
        return Double(midnight + time.seconds - offset) + time.fraction
    }

    /// Whether text could be a date, by two comparisons.
    @inline(__always)
    package static func isPlausible(_ text: ArraySlice<UInt8>) -> Bool {
        text.count >= 10 && text.count <= 40 && text[text.startIndex + 4] == 0x2D
            && text[text.startIndex + 7] == 0x2D
    }

    private static func time(_ rest: inout ArraySlice<UInt8>) -> (seconds: Int, fraction: Double)? {
        guard let hour = number(2, &rest), take(0x3A, &rest),
            let minute = number(2, &rest), hour < 24, minute < 60
        else { return nil }
        var seconds = hour * 3600 + minute * 60
        guard take(0x3A, &rest) else { return (seconds, 0) }
        // A leap second counts as the second after it, as POSIX time has none.
        guard let second = number(2, &rest), second <= 60 else { return nil }
        seconds += second
        guard take(0x2E, &rest) || take(0x2C, &rest) else { return (seconds, 0) }
        guard let fraction = fraction(&rest) else { return nil }
        return (seconds, fraction)
    }

    /// Digits after the point; those beyond the ninth are read and do not count.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
        var value = 0
        var scale = 1
        var count = 0
        while let byte = rest.first, 0x30...0x39 ~= byte {
            if count < 9 {
                value = value * 10 + Int(byte - 0x30)
                scale *= 10
            }
            count += 1
            rest = rest.dropFirst()
        }
        return count == 0 ? nil : Double(value) / Double(scale)
    }

    /// Seconds east of UTC.
    private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if rest.isEmpty || take(0x5A, &rest) || take(0x7A, &rest) { return 0 }
        let sign: Int
        if take(0x2B, &rest) {
            sign = 1
        } else if take(0x2D, &rest) {
            sign = -1
        } else {
            return nil
        }
        guard let hour = number(2, &rest), hour < 24 else { return nil }
        if rest.isEmpty { return sign * hour * 3600 }
        _ = take(0x3A, &rest)
        guard let minute = number(2, &rest), minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }

    @inline(__always)
    private static func number(_ digits: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for byte in rest.prefix(digits) {
            guard 0x30...0x39 ~= byte else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        rest = rest.dropFirst(digits)
        return value
    }

    @inline(__always)
    private static func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func dayCount(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts with years that start in March, so that the leap day is the last of its year.
    private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }
}
