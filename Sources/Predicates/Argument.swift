// SPDX-License-Identifier: Apache-2.0

/// What takes the place of a `%` conversion in a predicate format.
public enum Argument: Sendable, Hashable {
    /// A constant: for `%@`, and for `%d`, `%f` and `%s` when it has the type they name. A
    /// string may also stand for `%K`.
    case operand(Operand)
    /// A key path for `%K`, its keys joined by dots.
    case keyPath(String)
    /// A ready expression for `%@` or `%K`.
    case expression(Expression)
    /// A variable that takes the place of a constant which only the caller can hold, with what the
    /// constant is, for errors. For `%@` only.
    case standIn(variable: String, summary: String)
    /// A variable that takes the place of the request of a `FETCH`.
    case fetchRequest(variable: String)
    /// A variable that takes the place of the context of a `FETCH`.
    case fetchContext(variable: String)
    /// A value of an unsupported kind, described for the error.
    case unusable(String)
}
