// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// Turns Foundation's predicates and values into the trees that stores run.
enum PredicateConversion {
    /// The tree of a predicate.
    ///
    /// - Throws: 134070 for a block predicate, which a store cannot run.
    static func predicate(
        _ predicate: NSPredicate, _ context: NSManagedObjectContext?
    ) throws -> PredicateTree {
        try Self.predicate(predicate, in: context?.persistentStore?.identity)
    }

    /// The tree of a predicate for one store.
    static func predicate(_ predicate: NSPredicate, in store: String?) throws -> PredicateTree {
        let tree = try content(of: predicate).resolved(for: TreePurpose(store: store))
        // Variables that are filled with parts of predicates make them deeper than these were:
        // as deep as compounds with an expression in them at most.
        guard !tree.isDeeper(than: 2 * mostLevels) else { throw depthError }
        return tree
    }

    /// How deep predicates and expressions may lie in each other: what walks a tree calls itself
    /// for each level.
    static let mostLevels = 1_000

    /// The error for what lies deeper.
    static var depthError: CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "the predicate has expressions or conditions more than \(mostLevels) deep in each "
                + "other; compute parts of it before, or use a block in memory")
    }

    /// The tree of a predicate with the values of the program in it.
    ///
    /// - Throws: 134070 for a block predicate, and for predicates too deep in each other.
    static func content(
        of predicate: NSPredicate, level: Int = 0
    ) throws -> BoundTree<PredicateTree> {
        if let made = predicate.managedContent { return made.content }
        guard let compound = predicate as? NSCompoundPredicate else {
            return BoundTree(try constant(predicate))
        }
        guard level < mostLevels else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the predicate has compounds more than \(mostLevels) deep in each other; join "
                    + "predicates of one kind in one compound")
        }
        var binder = ArgumentBinder()
        let members = try members(of: compound).map {
            binder.adopt(try content(of: $0, level: level + 1))
        }
        switch compound.compoundPredicateType {
        case .and: return binder.finished(.and(members))
        case .or: return binder.finished(.or(members))
        case .not: return binder.finished(.not(members.first ?? .constant(true)))
        @unknown default: throw unsupported("a compound predicate of an unknown kind")
        }
    }

    /// The members of a compound, in their order, with those of members of its kind in their place.
    ///
    /// A program that joins predicates one by one makes a tree as deep as there are.
    private static func members(of compound: NSCompoundPredicate) -> [NSPredicate] {
        guard compound.compoundPredicateType != .not else { return compound.subpredicates }
        var members: [NSPredicate] = []
        var waiting = [compound.subpredicates[...]]
        while var rest = waiting.popLast() {
            guard let next = rest.popFirst() else { continue }
            waiting.append(rest)
            if next.managedContent == nil, let inner = next as? NSCompoundPredicate,
                inner.compoundPredicateType == compound.compoundPredicateType,
                !inner.subpredicates.isEmpty
            {
                waiting.append(inner.subpredicates[...])
            } else {
                members.append(next)
            }
        }
        return members
    }

    /// Whether compounds of a predicate lie deeper in each other than a tree may have them.
    static func isTooDeep(_ predicate: NSPredicate) -> Bool {
        var level = [predicate]
        for _ in 0..<mostLevels {
            level = level.flatMap { member -> [NSPredicate] in
                guard member.managedContent == nil, let compound = member as? NSCompoundPredicate
                else { return [] }
                return compound.subpredicates
            }
            if level.isEmpty { return false }
        }
        return true
    }

    private static func constant(_ predicate: NSPredicate) throws -> PredicateTree {
        if let constant = predicate.constant { return .constant(constant) }
        if let macro = predicate as? UnconvertedPredicate { throw macro.error }
        throw unsupported("a predicate made of a block or by a subclass of NSPredicate")
    }

    /// Whether a predicate names objects that were unsaved when it was made, whose keys change.
    static func hasUnsaved(_ predicate: NSPredicate) -> Bool {
        (try? content(of: predicate))?.used.contains(where: \.isUnsaved) == true
    }

    static func unsupported(_ what: String) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "\(what) cannot run in a store; use NSPredicate(format:), or filter the results")
    }

    static var blockError: CocoaError { unsupported("the block of a block expression") }

    static func unusableError(_ value: Any?) -> CocoaError {
        CoreDataError.make(
            .persistentStoreOperation,
            "a predicate cannot compare \(unusable(value)); use a value, an object or a "
                + "collection of them")
    }

    /// What an expression gives, as values, objects and arrays.
    static func object(_ operand: SubjectOperand, _ context: NSManagedObjectContext?) -> Any? {
        switch operand {
        case .collection(let members): return members.compactMap { object($0, context) }
        case .subject(let subject):
            return (subject as? ObjectSubject)?.object ?? (subject as? ReadableSubject)?.base
                ?? (subject as? DictionarySubject)?.base
                ?? subject.predicateValue.flatMap(ValueConversion.object)
        case .value(.objectID(let key)): return context?.objectID(for: key)
        case .value(let value): return ValueConversion.object(value)
        }
    }

    /// A key that no object ever has.
    static let nobody = ObjectKey(rawValue: .max)
}
