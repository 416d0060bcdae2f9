// SPDX-License-Identifier: Apache-2.0

/// A condition on one object, as a tree of values.
///
/// ```swift
/// let predicate = try Predicate(format: "NOT (year < 1900 OR title == nil)")
/// print(predicate.keyPaths, predicate.predicateFormat)
/// ```
///
/// The text form is the format language of `NSPredicate`: ``init(format:arguments:)`` reads it,
/// ``predicateFormat`` writes it. An empty `and` is true, an empty `or` is false.
///
/// A tree that the parser made prints to text that parses to an equal tree. Trees made by hand
/// do so as well unless they use a form that the parser never makes: an `and` or `or` of fewer
/// than two members, an aggregate of constants only, or a number constant of a type that has no
/// literal (`integer16`, `integer32`, `float`, `boolean`), which comes back as an equal number.
public indirect enum Predicate: Sendable, Hashable {
    /// Always true or always false.
    case constant(Bool)
    /// True when its operand is false.
    case not(Predicate)
    /// True when every member is true.
    case and([Predicate])
    /// True when at least one member is true.
    case or([Predicate])
    /// A comparison of two expressions.
    case comparison(Comparison)
}
