// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The objects that one batch of a table needs: its own and those that it refers to.
struct BatchLookups {
    /// The objects of the batch's entity by each unique attribute, the key among them.
    private var unique: [(attribute: Int, objects: KeyedObjects)] = []
    /// The keys of the rows of the batch so far.
    var seen: Set<LookupKey> = []
    /// The object that the last row became, for rows without a key.
    var lastObject: NSManagedObject?
    private var destinations: [String: KeyedObjects] = [:]

    /// Finds everything with one fetch for each entity and attribute.
    init(_ loader: BulkLoader, _ batch: [PendingRow], _ table: Int, _ entity: Int) throws {
        let inferred = loader.model.entities[entity]
        let tablePlan = loader.plan.tables[table]
        for (index, attribute) in inferred.attributes.enumerated() where attribute.isUnique {
            var objects = KeyedObjects(entity: inferred.name, attribute: attribute)
            if loader.tables[table].mayExist || index != inferred.keyIndex {
                for pending in batch where pending.rejection == nil {
                    objects.want(pending.row.values[index])
                }
                try objects.find(in: loader.context)
            }
            unique.append((index, objects))
        }
        for (index, relationship) in inferred.toOne.enumerated()
        where !tablePlan.deferredToOne.contains(index) {
            for pending in batch where pending.rejection == nil {
                want(relationship.destination, pending.row.references[index], loader.model)
            }
        }
        for (index, link) in tablePlan.arrayLinks.enumerated()
        where !tablePlan.deferredArrays.contains(index) {
            let name = loader.model.manyToMany[link].second.entity
            for pending in batch where pending.rejection == nil {
                for key in pending.row.arrays[index] { want(name, key, loader.model) }
            }
        }
        try find(in: loader.context)
    }

    /// Looks up nothing of its own.
    init() {}

    /// Notes that an object that is referred to will be asked for.
    mutating func want(_ entity: String, _ key: Value, _ model: InferredModel) {
        if destinations[entity] == nil {
            guard let attribute = model.entity(named: entity)?.key else { return }
            destinations[entity] = KeyedObjects(entity: entity, attribute: attribute)
        }
        destinations[entity]?.want(key)
    }

    mutating func find(in context: NSManagedObjectContext) throws {
        for name in Array(destinations.keys) { try destinations[name]?.find(in: context) }
    }

    /// The object that a key refers to.
    func destination(_ entity: String, _ key: Value) -> NSManagedObject? {
        destinations[entity]?[key]
    }

    /// The object of the batch's entity with a value of a unique attribute.
    func own(_ attribute: Int, _ value: Value) -> NSManagedObject? {
        unique.first { $0.attribute == attribute }?.objects[value]
    }

    /// Remembers an object for later rows of the batch.
    mutating func note(_ object: NSManagedObject, _ values: [Value]) {
        // By position, as looking at an element in place spares copying its dictionary.
        for index in unique.indices {
            unique[index].objects.insert(object, for: values[unique[index].attribute])
        }
    }

    /// Why a row cannot become an object.
    func problem(
        of row: ConvertedRow, _ loader: BulkLoader, _ table: Int, _ entity: Int
    ) -> String? {
        let inferred = loader.model.entities[entity]
        if let reason = duplicate(of: row, loader.tables[table], inferred) { return reason }
        for (index, attribute) in inferred.attributes.enumerated() where attribute.type == .uri {
            if !row.values[index].isNull, FoundationValue.object(row.values[index]) == nil {
                return "\(attribute.sourceName) should be uri, not \(text(row.values[index]))"
            }
        }
        let tablePlan = loader.plan.tables[table]
        for (index, relationship) in inferred.toOne.enumerated()
        where !tablePlan.deferredToOne.contains(index) {
            let key = row.references[index]
            if !key.isNull, destination(relationship.destination, key) == nil {
                return dangling(relationship.sourceName, key, relationship.destination)
            }
        }
        for (index, link) in tablePlan.arrayLinks.enumerated()
        where !tablePlan.deferredArrays.contains(index) {
            let link = loader.model.manyToMany[link]
            for key in row.arrays[index] where destination(link.second.entity, key) == nil {
                return dangling(link.columnName, key, link.second.entity)
            }
        }
        return nil
    }

    private func duplicate(
        of row: ConvertedRow, _ state: TableState, _ inferred: InferredEntity
    ) -> String? {
        let own = inferred.keyIndex.flatMap { self.own($0, row.values[$0]) }
        if let index = inferred.keyIndex, let key = LookupKey(row.values[index]) {
            let isKnown =
                switch state.duplicates {
                case .none: seen.contains(key)
                case .found: own != nil
                case .tracked(let keys): keys.contains(key)
                }
            if isKnown {
                return "\(inferred.attributes[index].sourceName) \(text(row.values[index])) is in "
                    + "an earlier row already"
            }
        }
        for (index, objects) in unique where index != inferred.keyIndex {
            if let other = objects[row.values[index]], other !== own {
                return "\(inferred.attributes[index].sourceName) \(text(row.values[index])) "
                    + "belongs to another \(inferred.name) already"
            }
        }
        return nil
    }

    /// The reason for a reference without a destination.
    func dangling(_ column: String, _ key: Value, _ entity: String) -> String {
        "\(column) \(text(key)) leads to no \(entity)"
    }

    private func text(_ value: Value) -> String {
        if case .string(let text) = value { return "\"\(text.shortened())\"" }
        return FoundationValue.object(value).map { "\($0)".shortened() } ?? "null"
    }
}

extension InferredManyToMany {
    /// The column that has the keys of an array, or the first of a table.
    var columnName: String {
        switch origin {
        case .column(let name): name
        case .table(_, let first, _): first
        }
    }
}
