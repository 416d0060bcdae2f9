// SPDX-License-Identifier: Apache-2.0

import Schema

/// An operation on the bits of integers of 64 bits.
///
/// Numbers are signed: a shift to the right keeps the sign. A shift by 64 or more leaves no bit but
/// the sign's, and one by a negative number goes the other way, as in SQLite.
public enum BitOperation: Sendable, Hashable {
    /// The bits that both have.
    case and
    /// The bits that either has.
    case or
    /// The bits that one alone has.
    case exclusiveOr
    /// The first, multiplied by two as often as the second says.
    case shiftLeft
    /// The first, divided by two as often as the second says.
    case shiftRight

    /// The operation of a function's selector; nil for other functions, `onesComplement:` too,
    /// which is the ``exclusiveOr`` with -1.
    public init?(function: String) {
        switch function {
        case FunctionName.bitAnd: self = .and
        case FunctionName.bitOr: self = .or
        case FunctionName.bitXor: self = .exclusiveOr
        case FunctionName.shiftLeft: self = .shiftLeft
        case FunctionName.shiftRight: self = .shiftRight
        default: return nil
        }
    }

    /// Whether the operands may be exchanged.
    public var isCommutative: Bool { self != .shiftLeft && self != .shiftRight }

    /// The result for two numbers.
    public func callAsFunction(_ left: Int64, _ right: Int64) -> Int64 {
        switch self {
        case .and: left & right
        case .or: left | right
        case .exclusiveOr: left ^ right
        case .shiftLeft: left << right
        case .shiftRight: left >> right
        }
    }

    /// Whether a function works on bits, and so needs integers.
    public static func isFunction(_ name: String) -> Bool {
        name == FunctionName.complement || BitOperation(function: name) != nil
    }
}
