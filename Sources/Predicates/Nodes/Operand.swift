// SPDX-License-Identifier: Apache-2.0

import Schema

/// A constant of a predicate: one value or a list.
public enum Operand: Sendable, Hashable {
    /// A single value; `null` is `NIL` in text.
    case value(Value)
    /// Several operands, from an array or a set.
    case list([Operand])
}
