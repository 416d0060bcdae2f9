// SPDX-License-Identifier: Apache-2.0

/// Whether a figure meets its target.
public struct Verdict: Sendable, Encodable, CustomStringConvertible {
    /// What was compared.
    public let subject: String
    /// The figure, as text.
    public let figure: String
    /// The target, as text.
    public let target: String
    /// Whether the figure meets the target.
    public let isMet: Bool

    /// States that a figure must reach a target from below.
    public static func atLeast(
        _ target: Double, _ subject: String, _ figure: Double, format: (Double) -> String
    ) -> Verdict {
        Verdict(
            subject: subject, figure: format(figure), target: "at least " + format(target),
            isMet: figure >= target)
    }

    /// States that a figure must stay below a target.
    public static func below(
        _ target: Double, _ subject: String, _ figure: Double, format: (Double) -> String
    ) -> Verdict {
        Verdict(
            subject: subject, figure: format(figure), target: "below " + format(target),
            isMet: figure < target)
    }

    /// One line: subject, figure, target and whether it is met.
    public var description: String {
        "\(isMet ? "met    " : "NOT MET") \(subject): \(figure) (target: \(target))"
    }
}
