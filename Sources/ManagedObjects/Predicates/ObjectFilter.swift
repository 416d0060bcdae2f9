// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// A fetch whose predicate or order only objects can answer: a block, a subclass of `NSPredicate`,
/// a `#Predicate` without a format, what a transformable attribute holds, or a comparator.
///
/// Stores that have all their objects in memory answer it, as Core Data's do; any store where whole
/// values of transformable attributes are compared. The store gives the objects that may match, the
/// rest is asked of them, with the context's unsaved changes.
struct ObjectFilter<Result> {
    /// The request that a store can run: for all objects that may match.
    let possible: NSFetchRequest<Result>
    private let stated: NSFetchRequest<Result>
    /// What is asked of each object; nil if the store has answered it.
    let predicate: NSPredicate?
    /// How the objects are put into order; nil if the store has done it.
    private let order: [NSSortDescriptor]?
    /// Whether the predicate asks what only stores in memory may answer.
    private let isPredicateForMemory: Bool
    /// Whether only stores that have their objects in memory may answer.
    var isForMemory: Bool {
        isPredicateForMemory || order?.contains { $0 is ComparatorSortDescriptor } == true
    }

    /// - Parameter isForNow: Whether the predicate is asked for one fetch, so that those in it run
    ///   once, rather than of objects that change later.
    /// - Returns: `nil` if a store can run all of the request, and if none of both can: beside what
    ///   only objects answer, the data of a transformable attribute is asked for.
    init?(
        _ asked: NSFetchRequest<Result>, _ context: NSManagedObjectContext, isForNow: Bool = true
    ) {
        var request = asked
        let keys = (try? FetchPreparation.runtime(of: request, context))
            .flatMap { TransformableKeys($0, context.model) }
        let answerer = request.predicate?.answerer(keys) ?? .store
        let predicate = answerer == .store ? nil : request.predicate
        isPredicateForMemory = answerer == .objectsInMemory
        if let keys, predicate?.comparesData(keys) == true { return nil }
        if isForNow, let predicate, let settled = predicate.runningFetches() {
            request = asked.duplicate()
            request.predicate = settled
            self.predicate = settled
        } else {
            self.predicate = predicate
        }
        stated = request
        order = request.sortDescriptors.flatMap { descriptors in
            descriptors.contains(where: \.needsObjects) ? descriptors : nil
        }
        if predicate == nil, order == nil { return nil }
        possible = request.duplicate()
        possible.predicate = request.predicate?.possible(true, keys)
        if order != nil {
            // Those of keys stay, so that a key which the entity lacks is an error.
            possible.sortDescriptors = order?.filter { !$0.needsObjects }
        }
        (possible.fetchLimit, possible.fetchOffset) = (0, 0)
    }

    /// Whether a store can put the objects into order.
    var isOrderedByStore: Bool { order == nil }

    /// The possible matches between the offset and the limit that were stated.
    var window: NSFetchRequest<Result> {
        let window = possible.duplicate()
        (window.fetchLimit, window.fetchOffset) = (stated.fetchLimit, stated.fetchOffset)
        return window
    }

    /// The matches, in order, between offset and limit.
    func objects(
        _ find: (NSFetchRequest<Result>) throws -> [NSManagedObject]
    ) throws -> [NSManagedObject] {
        var objects = try find(possible)
        if let predicate { objects = try objects.filter { try predicate.holds(for: $0) } }
        if let order {
            try ObjectFilter.check(order, objects)
            objects = ObjectFilter.sorted(objects, order)
        }
        let rest = objects.dropFirst(max(0, stated.fetchOffset))
        return Array(stated.fetchLimit > 0 ? rest.prefix(stated.fetchLimit) : rest)
    }

    /// Refuses keys that some of the objects lack, for which sorting would trap.
    private static func check(_ order: [NSSortDescriptor], _ objects: [NSManagedObject]) throws {
        var checked: EntityRuntime?
        for object in objects where object.runtime !== checked {
            for case let descriptor as ComparatorSortDescriptor in order {
                guard let key = descriptor.keys.first, object.accessor(forKey: key) == nil else {
                    continue
                }
                try check(descriptor.keys[...], object.runtime)
            }
            checked = object.runtime
        }
    }

    private static func check(_ keys: ArraySlice<String>, _ runtime: EntityRuntime) throws {
        guard let key = keys.first, !["self", "objectID", "entity"].contains(key) else { return }
        guard runtime.references[key] != nil else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "entity \(runtime.name) has no property \(key) to sort by; it has "
                    + runtime.references.keys.sorted().joined(separator: ", "))
        }
        guard let step = runtime.relationship(named: key) else { return }
        try check(keys.dropFirst(), step.destination)
    }

    private static func sorted(
        _ objects: [NSManagedObject], _ order: [NSSortDescriptor]
    ) -> [NSManagedObject] {
        // `sort` is stable: objects that are the same to all descriptors keep their order.
        objects.sorted { order.areInOrder($0, $1) }
    }
}

extension NSSortDescriptor {
    /// Whether the descriptor itself has to compare objects, as no store can.
    fileprivate final var needsObjects: Bool {
        self is ComparatorSortDescriptor || foundationKey != nil
    }
}

extension [NSSortDescriptor] {
    /// Whether an object comes before another one: the first descriptor decides that tells them
    /// apart.
    func areInOrder(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
        for descriptor in self {
            let result = descriptor.compare(left, to: right)
            if result != .orderedSame { return result == .orderedAscending }
        }
        return false
    }
}

extension NSPredicate {
    /// Who can answer the predicate.
    ///
    /// - Parameter transformables: The attributes that stores do not look into.
    fileprivate final func answerer(
        _ transformables: TransformableKeys?
    ) -> TransformableKeys.Answerer {
        if let known = managedContent {
            let hasBlock = known.content.used.contains {
                if case .block = $0 { true } else { false }
            }
            if hasBlock { return .objectsInMemory }
            return transformables?.answerer(of: known.content) ?? .store
        }
        if let compound = self as? NSCompoundPredicate {
            let members = compound.subpredicates.map { $0.answerer(transformables) }
            if members.contains(.objectsInMemory) { return .objectsInMemory }
            return members.contains(.objects) ? .objects : .store
        }
        return (try? PredicateConversion.content(of: self)) == nil ? .objectsInMemory : .store
    }

    /// Whether the data of a transformable attribute is compared in it.
    fileprivate final func comparesData(_ transformables: TransformableKeys) -> Bool {
        if let known = managedContent {
            return known.content.described.comparesData(transformables)
        }
        return (self as? NSCompoundPredicate)?.subpredicates
            .contains { $0.comparesData(transformables) } ?? false
    }

    /// The predicate with what its fetches find now; nil for one without fetches.
    fileprivate final func runningFetches() -> NSPredicate? {
        if let known = managedContent {
            let content = known.content
            guard content.used.contains(where: \.isFetch) else { return nil }
            return PredicateMaking.predicate(content.withFetchesRun)
        }
        guard let compound = self as? NSCompoundPredicate else { return nil }
        let members = compound.subpredicates
        let settled = members.map { $0.runningFetches() }
        guard settled.contains(where: { $0 != nil }) else { return nil }
        return NSCompoundPredicate(
            type: compound.compoundPredicateType,
            subpredicates: zip(settled, members).map { $0 ?? $1 })
    }

    /// The predicate with constants for what only objects can answer.
    ///
    /// - Parameter isTrue: The constant: with true the result holds for more objects, with false
    ///   for fewer.
    fileprivate final func possible(
        _ isTrue: Bool, _ transformables: TransformableKeys?
    ) -> NSPredicate {
        guard answerer(transformables) != .store else { return self }
        guard let compound = self as? NSCompoundPredicate else { return NSPredicate(value: isTrue) }
        let inner = compound.compoundPredicateType == .not ? !isTrue : isTrue
        return NSCompoundPredicate(
            type: compound.compoundPredicateType,
            subpredicates: compound.subpredicates.map { $0.possible(inner, transformables) })
    }
}

extension NSPredicate {
    /// Whether an object satisfies the predicate; throws what `evaluate(with:)` traps for.
    final func holds(for object: Any?) throws -> Bool {
        if let known = managedContent { return try known.holds(for: object, nil) }
        guard let compound = self as? NSCompoundPredicate else { return evaluate(with: object) }
        let members = compound.subpredicates
        return switch compound.compoundPredicateType {
        case .and: try members.allSatisfy { try $0.holds(for: object) }
        case .or: try members.contains { try $0.holds(for: object) }
        case .not: try members.first.map { try !$0.holds(for: object) } ?? false
        @unknown default: evaluate(with: object)
        }
    }
}
