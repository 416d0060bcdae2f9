// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema
import Store
import Traps

/// A fetch request in the terms of the layers below.
struct FetchPreparation {
    let runtime: EntityRuntime
    var description: FetchDescription
    /// The predicate as the request has it.
    let statedPredicate: NSPredicate?
    /// What stores of other kinds need of the request; `nil` if the description is enough.
    var origin: FetchOrigin?
    /// Puts in the keys of the context that evaluates the tree, see `withCurrentKeys`.
    var withCurrentKeys: ((PredicateTree) -> PredicateTree)?

    init<Result>(_ request: NSFetchRequest<Result>, _ context: NSManagedObjectContext) throws {
        let runtime = try FetchPreparation.runtime(of: request, context)
        self.runtime = runtime
        statedPredicate = request.predicate
        if try context.onlyObjects(answer: request, runtime) {
            throw PredicateConversion.unsupported("what a transformable attribute holds")
        }
        var description = FetchDescription(
            entity: runtime.entity.name, includesSubentities: request.includesSubentities,
            predicate: try request.predicate.map {
                // With several stores, objects of all of them may be meant.
                context.hasFurtherStores
                    ? try PredicateConversion.predicate($0, in: nil)
                    : try PredicateConversion.predicate($0, context)
            },
            sortOrders: try (request.sortDescriptors ?? []).map {
                try SortConversion.order($0, runtime)
            },
            limit: request.fetchLimit, offset: request.fetchOffset)
        description.scanLimit = request.scanLimit == 0 ? context.scanLimit : request.scanLimit
        description.watch = context.takeFetchWatch()
        self.description = description
        guard context.hasFurtherStores || request.affectedStores != nil else { return }
        origin = FetchOrigin(
            predicate: request.predicate, isOfChild: context.source != nil,
            sortDescriptors: request.sortDescriptors, affectedStores: request.affectedStores)
    }

    init(
        runtime: EntityRuntime, description: FetchDescription, origin: FetchOrigin? = nil
    ) {
        self.runtime = runtime
        self.description = description
        statedPredicate = nil
        self.origin = origin
    }

    /// The fetch of rows among which its results are, even if some of the rows do not count.
    ///
    /// It has no offset. The rows are sorted, and what a limit leaves out lies behind all results.
    ///
    /// - Parameter losses: How many rows at most do not count.
    func widened(by losses: Int = 0) -> FetchPreparation {
        var result = self
        result.description.offset = 0
        if description.pageSize == 0 { result.description.pageSize = description.limit }
        if description.reach > 0 {
            result.description.limit = description.reach + losses
        } else {
            (result.description.limit, result.description.pageSize) = (0, 0)
        }
        return result
    }

    /// The fetch of all matches, in any order.
    var withoutWindow: FetchPreparation {
        var result = self
        (result.description.limit, result.description.offset) = (0, 0)
        result.description.pageSize = 0
        result.description.sortOrders = []
        result.origin?.sortDescriptors = nil
        return result
    }

    /// Whether the order asks objects at the other end of a relationship.
    var sortsByOthers: Bool { description.sortOrders.contains { $0.keyPath.count > 1 } }

    /// Whether offset or limit leave matches out.
    var hasWindow: Bool { description.limit > 0 || description.offset > 0 }

    /// The entity of a request of the same class by the same name as the last one; `nil` for any
    /// other.
    @inline(__always)
    static func runtimeAtHand<Result>(
        of request: NSFetchRequest<Result>, _ context: NSManagedObjectContext
    ) -> EntityRuntime? {
        guard let last = context.making.lastFetched, last.0 == Result.self,
            request.statedEntity == nil,
            let known = context.making.knownRuntime
        else { return nil }
        // SAFETY: see `knownRuntime`.
        return known._withUnsafeGuaranteedRef { runtime in
            guard runtime.ordinal == last.1, runtime.entity.name == request.entityName else {
                return nil
            }
            request.used.note(runtime.description)
            return runtime
        }
    }

    /// The entity of a request, which learns the class that the request states.
    static func runtime<Result>(
        of request: NSFetchRequest<Result>, _ context: NSManagedObjectContext
    ) throws -> EntityRuntime {
        let runtime = try statedRuntime(of: request, context)
        if request.statedEntity == nil { request.used.note(runtime.description) }
        guard let type = Result.self as? NSManagedObject.Type else { return runtime }
        let last = context.making.lastFetched
        if last?.0 != type || last?.1 != runtime.ordinal {
            ClassLookup.note(type)
            runtime.suggest(type)
            context.making.lastFetched = (type, runtime.ordinal)
        }
        return runtime
    }

    private static func statedRuntime<Result>(
        of request: NSFetchRequest<Result>, _ context: NSManagedObjectContext
    ) throws -> EntityRuntime {
        if let entity = request.statedEntity { return context.runtime(for: entity) }
        if let name = request.entityName {
            // SAFETY: see `knownRuntime`; often the entity is the one that was used last.
            if let known = context.making.knownRuntime,
                known._withUnsafeGuaranteedRef({ $0.entity.name == name })
            {
                return known.takeUnretainedValue()
            }
            guard let runtime = context.model.runtime(named: name) else {
                trap("the model has no entity named \(name)")
            }
            context.making.knownRuntime = Unmanaged.passUnretained(runtime)
            return runtime
        }
        guard let type = Result.self as? NSManagedObject.Type else {
            trap("the fetch request names no entity; set entityName or entity")
        }
        return context.runtime(for: context.entity(for: type))
    }
}
