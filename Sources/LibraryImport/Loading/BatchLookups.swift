// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The objects that one batch of a table needs: its own and those that it refers to.
struct BatchLookups {
    /// The objects of the batch's entity by each unique attribute, the key among them.
    private var unique: [(attribute: Int, objects: KeyedObjects)] = []
    /// The keys of the rows of the batch so far.
    var seen: Set<LookupKey> = []
    /// The object that the last row became.
    var lastObject: NSManagedObject?
    private var destinations: IndexedList<EntityIndex, KeyedObjects?>
    private let model: InferredModel
    private let places: ModelPlaces

    /// Finds everything with one fetch for each entity and attribute.
    init(
        _ loader: BulkLoader, _ batch: [PendingRow], _ table: TableIndex, _ entity: EntityIndex
    ) throws {
        self.init(loader.model, loader.places)
        let inferred = model[entity]
        let tablePlan = loader.plan.tables[table]
        for (index, attribute) in inferred.attributes.enumerated() where attribute.isUnique {
            var objects = KeyedObjects(
                KeyColumn(entity: inferred, attribute: index, places[entity]))
            if loader.tables[table].mayExist || index != inferred.keyIndex {
                for pending in batch where pending.rejection == nil {
                    objects.want(pending.row.values[index])
                }
                try objects.find(in: loader.context)
            }
            unique.append((index, objects))
        }
        for (index, relationship) in places[entity].toOne.enumerated()
        where !tablePlan.deferredToOne.contains(index) {
            for pending in batch where pending.rejection == nil {
                want(relationship.destination, pending.row.references[index])
            }
        }
        for (index, link) in tablePlan.arrayLinks.enumerated()
        where !tablePlan.deferredArrays.contains(index) {
            let end = places[link].second.entity
            for pending in batch where pending.rejection == nil {
                for key in pending.row.arrays[index] { want(end, key) }
            }
        }
        try find(in: loader.context)
    }

    /// Looks up nothing of its own.
    init(_ model: InferredModel, _ places: ModelPlaces) {
        self.model = model
        self.places = places
        destinations = IndexedList(repeating: nil, count: model.entities.count)
    }

    /// Notes that an object that is referred to will be asked for.
    mutating func want(_ entity: EntityIndex, _ key: Value) {
        if destinations[entity] == nil {
            guard let attribute = model[entity].keyIndex else { return }
            destinations[entity] = KeyedObjects(
                KeyColumn(entity: model[entity], attribute: attribute, places[entity]))
        }
        destinations[entity]?.want(key)
    }

    mutating func find(in context: NSManagedObjectContext) throws {
        for entity in destinations.indices { try destinations[entity]?.find(in: context) }
    }

    /// The object that a key refers to.
    func destination(_ entity: EntityIndex, _ key: Value) -> NSManagedObject? {
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
        of row: ConvertedRow, _ loader: BulkLoader, _ table: TableIndex, _ entity: EntityIndex
    ) -> String? {
        let inferred = model[entity]
        if let reason = duplicate(of: row, loader.tables[table], inferred) { return reason }
        let tablePlan = loader.plan.tables[table]
        for (index, relationship) in places[entity].toOne.enumerated()
        where !tablePlan.deferredToOne.contains(index) {
            let key = row.references[index]
            if !key.isNull, destination(relationship.destination, key) == nil {
                let column = inferred.toOne[index].sourceName
                return dangling(column, key, relationship.destination)
            }
        }
        for (index, link) in tablePlan.arrayLinks.enumerated()
        where !tablePlan.deferredArrays.contains(index) {
            let end = places[link].second.entity
            for key in row.arrays[index] where destination(end, key) == nil {
                return dangling(model[link].columnName, key, end)
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
                return RejectionReason.duplicate(inferred.attributes[index], row.values[index])
            }
        }
        for (index, objects) in unique where index != inferred.keyIndex {
            if let other = objects[row.values[index]], other !== own {
                return RejectionReason.taken(
                    inferred.attributes[index], row.values[index], by: inferred)
            }
        }
        return nil
    }

    /// The reason for a reference without a destination.
    func dangling(_ column: String, _ key: Value, _ entity: EntityIndex) -> String {
        RejectionReason.dangling(column, key, model[entity])
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
