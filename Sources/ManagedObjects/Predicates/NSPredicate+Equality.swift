// SPDX-License-Identifier: Apache-2.0

import Foundation

extension NSPredicate {
    /// Whether both predicates say the same in the same form.
    ///
    /// Compounds are compared member by member. Predicates of blocks are equal to themselves only.
    public static func == (left: NSPredicate, right: NSPredicate) -> Bool {
        StructuralEquality.samePredicate(left, right)
    }

    /// Whether the predicates say different things, or the same in another form.
    public static func != (left: NSPredicate, right: NSPredicate) -> Bool {
        !StructuralEquality.samePredicate(left, right)
    }
}
