// SPDX-License-Identifier: Apache-2.0

/// How a comparison treats text; other types ignore it.
///
/// Raw values are those of `NSComparisonPredicate.Options`.
public struct ComparisonOptions: OptionSet, Sendable, Hashable {
    /// The flags.
    public let rawValue: UInt

    /// Makes options of their flags.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// `[c]`: upper and lower case are the same.
    public static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`: letters with and without diacritics are the same.
    public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `[n]`: the text is known to be normalised; cancels the two options above.
    public static let normalized = ComparisonOptions(rawValue: 4)
    /// `[l]`: `<` and its kin order text by the current locale.
    public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

extension ComparisonOptions {
    /// The letters between the brackets of a predicate format; empty without options.
    public var text: String {
        var letters = ""
        if contains(.caseInsensitive) { letters += "c" }
        if contains(.diacriticInsensitive) { letters += "d" }
        if contains(.normalized) { letters += "n" }
        if contains(.localeSensitive) { letters += "l" }
        return letters
    }
}
