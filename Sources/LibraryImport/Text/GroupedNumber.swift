// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// The number with a comma between groups of three digits.
    package var grouped: String {
        var text = ""
        let digits = String(magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// `1 row`, `3,503 rows`.
    package func counted(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s"
    }
}
