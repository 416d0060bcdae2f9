// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSPredicate {
    /// Whether both predicates say the same in the same form.
    ///
    /// Compounds that a program builds are compared member by member. `isEqual(_:)` and `hash`,
    /// which sets, arrays and optionals use, are Foundation's for them on Linux and take all of
    /// them for equal. Predicates of blocks are equal to themselves only.
    public static func == (left: NSPredicate, right: NSPredicate) -> Bool {
        StructuralEquality.samePredicate(left, right)
    }

    /// Whether the predicates say different things, or the same in another form.
    public static func != (left: NSPredicate, right: NSPredicate) -> Bool {
        !StructuralEquality.samePredicate(left, right)
    }
}
