// SPDX-License-Identifier: Apache-2.0

import Schema

extension Value {
    /// The date of an ISO 8601 text: `2024-05-31`, `2024-05-31T18:30`, `2024-05-31T18:30:15.5Z`
    /// or with an offset such as `+02:00` or `-0730`.
    ///
    /// A blank may stand for the `T`. A text without a zone is of Greenwich.
    public init?(dateText text: String) {
        var scanner = DateScanner(text)
        guard let seconds = scanner.seconds() else { return nil }
        self = .date(seconds)
    }
}

/// Reads the parts of a date from left to right.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    /// The seconds since 2001, or `nil` for anything that is no date.
    mutating func seconds() -> Double? {
        guard let year = digits(4), take("-"), let month = digits(2, 1...12), take("-"),
            let day = digits(2, 1...31), day <= DateScanner.length(of: month, year)
        else { return nil }
        let midnight = Double(DateScanner.days(year, month, day)) * 86_400
        if rest.isEmpty { return midnight }
        guard take("T") || take("t") || take(" "), let hour = digits(2, 0...23), take(":"),
            let minute = digits(2, 0...59)
        else { return nil }
        var time = Double(hour * 3_600 + minute * 60)
        if take(":") {
            guard let second = digits(2, 0...59) else { return nil }
            time += Double(second)
            if take(".") || take(",") {
                guard let fraction = fraction() else { return nil }
                time += fraction
            }
        }
        guard let offset = offset(), rest.isEmpty else { return nil }
        return midnight + time - Double(offset)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func digits(_ count: Int, _ range: ClosedRange<Int> = 0...9_999) -> Int? {
        let part = rest.prefix(count)
        guard part.count == count, part.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(count)
        let number = part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(number) ? number : nil
    }

    private mutating func fraction() -> Double? {
        let part = rest.prefix { 0x30...0x39 ~= $0 }
        rest = rest.dropFirst(part.count)
        return part.isEmpty ? nil : Double("0." + String(decoding: part, as: UTF8.self))
    }

    /// The seconds east of Greenwich; zero without a zone.
    private mutating func offset() -> Int? {
        if rest.isEmpty || take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2, 0...23) else { return nil }
        let hasColon = take(":")
        guard let minutes = rest.isEmpty && !hasColon ? 0 : digits(2, 0...59) else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days since 2001-01-01 in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that begin in March have the leap day at their end.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }
}
