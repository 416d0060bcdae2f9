// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// A decimal number that can be hashed.
///
/// Foundation's own calls itself without end in `hash` on Linux, so that a program which puts the
/// values of a decimal attribute into a set, or asks for distinct ones, would run out of stack.
// SAFETY: it has no state beside that of its superclass, which never changes.
final class StoredDecimalNumber: NSDecimalNumber, @unchecked Sendable {
    override init(decimal number: Decimal) { super.init(decimal: number) }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    required convenience init(integerLiteral value: Int) { self.init(decimal: Decimal(value)) }

    required convenience init(floatLiteral value: Double) { self.init(decimal: Decimal(value)) }

    required convenience init(booleanLiteral value: Bool) { self.init(decimal: value ? 1 : 0) }

    @available(*, unavailable)
    required init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        trap("a decimal number is made of a Decimal only")
    }

    /// That of the nearest double, to which the number may be equal.
    override var hash: Int { NSNumber(value: doubleValue).hash }
}
