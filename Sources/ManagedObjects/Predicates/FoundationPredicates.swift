// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What Foundation's own predicates lack on Linux: those of `NSCompoundPredicate(…)` are all equal
/// there and their copies are false, and neither these nor `NSPredicate(value:)` have a text.
///
/// No others can stand in for their initialisers, which are available on Linux. So the classes
/// themselves are given the methods, once for the process.
enum FoundationPredicates {
    /// Whether they have the methods; they are given them when this is asked first.
    static let areMended: Bool = {
        let compounds = MethodTable.give(
            NSCompoundPredicate.self, methodsOf: CompoundMethods.self, unlike: PlainCompound.self,
            count: 5)
        let constants = MethodTable.give(
            NSPredicate.self, methodsOf: ConstantMethods.self, unlike: PlainPredicate.self,
            count: 3)
        return compounds && constants
    }()

    private class PlainCompound: NSCompoundPredicate {}
    private class PlainPredicate: NSPredicate {}

    /// The methods of `NSCompoundPredicate`; there are no objects of it.
    private class CompoundMethods: NSCompoundPredicate {
        // On Linux the members can be replaced, so that a copy is another object.
        override func copy(with zone: NSZone? = nil) -> Any {
            NSCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
        }

        @available(*, deprecated)
        override var predicateFormat: String { description }
        override var description: String { StructuralEquality.text(of: self) }

        override func isEqual(_ object: Any?) -> Bool {
            StructuralEquality.samePredicate(self, object as? NSPredicate)
        }

        override var hash: Int { StructuralEquality.hash(of: self) }
    }

    /// The methods of `NSPredicate`, of which constants and blocks are objects.
    private class ConstantMethods: NSPredicate {
        override var description: String { texted.predicateFormat }

        override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? NSPredicate else { return false }
            return other === self || constant != nil && constant == other.constant
        }

        override var hash: Int { constant?.hashValue ?? ObjectIdentifier(self).hashValue }
    }
}

/// The text that Foundation on Linux has, though deprecated.
private protocol Texted {
    var predicateFormat: String { get }
}

extension NSPredicate: Texted {
    fileprivate var texted: any Texted { self }

    /// Whether it is of a class that is neither Foundation's own nor this module's.
    final var isOfProgram: Bool {
        switch self {
        case is ManagedComparison, is ManagedCompound, is ConstantPredicate,
            is UnconvertedPredicate:
            false
        default: type(of: self) != NSPredicate.self && type(of: self) != NSCompoundPredicate.self
        }
    }

    /// What a constant says, of Foundation's or of this module's; nil for all else.
    ///
    /// A subclass of a program's may decide otherwise than the constant that it was made with.
    final var constant: Bool? {
        guard type(of: self) == NSPredicate.self || self is ConstantPredicate else { return nil }
        return switch texted.predicateFormat {
        case "TRUEPREDICATE": true
        case "FALSEPREDICATE": false
        default: nil
        }
    }
}
