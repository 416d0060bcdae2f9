// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Writes the changes of a context into one transaction.
///
/// ``write(_:)`` may run more than once, as a transaction starts over when the map has to grow; it
/// leaves no trace in objects. ``finish(_:)`` makes them clean once the commit has succeeded.
final class SaveWriter {
    let context: NSManagedObjectContext
    let target: SaveTarget
    /// The further file that is written; `nil` for the main store.
    // Apart from the target, as each key asks.
    private let file: FileMapping?
    /// Entity by entity, in the order of the keys.
    private(set) var inserted: ContiguousArray<NSManagedObject>
    let updates: WriteList
    let deletions: WriteList
    /// The file's keys of `inserted`, in order.
    var keys: ContiguousArray<ObjectKey> = []
    /// The file's keys by temporary ones; filled if references need it.
    var permanentKeys = PermanentKeys()
    let needsResolving: Bool
    /// The updated objects that differ in nothing from their records.
    var unwritten: Set<ObjectIdentifier> = []
    /// The objects of this save that another commit changed or deleted; then nothing is written.
    var conflicting: ContiguousArray<NSManagedObject> = []
    /// The last known versions of objects whose records are gone and are to be written anew.
    let recreated: [ObjectKey: UInt32]
    /// The versions that the records of updated objects get, where descendants may have former
    /// ones; `nil` where there are none.
    var versions: [ObjectKey: UInt32]?
    /// Whether the transaction has anything to commit.
    var hasWritten = false
    /// Whether no other save was committed together with this one.
    var isAlone = true
    /// Whether the context's companion takes part, even if it turns out to have no changes.
    var hasCompanion = false
    /// What classes write beside their records, by entity; asking a class takes a dynamic cast.
    var derived: [DerivedSlot]
    /// The number of the target's store, for temporary IDs that were handed out.
    private var knownStoreNumber: UInt32?

    enum DerivedSlot {
        case unknown
        case none
        case entries(any DerivedEntries.Type)
    }

    init(
        _ context: NSManagedObjectContext, _ target: SaveTarget,
        recreated: [ObjectKey: UInt32] = [:]
    ) throws {
        self.recreated = recreated
        self.context = context
        self.target = target
        file = target.reading?.file
        // Processing changes has taken out what was deleted again: usually the list is ready.
        let noted = context.changes.inserted
        var isReady = true
        var isSorted = true
        var refersToObjects = false
        var ordinal = -1
        noted.forEachUnretained { object in
            if !object.flags.contains(.inserted) { isReady = false }
            guard object.runtimeOrdinal != ordinal else { return }
            if object.runtimeOrdinal < ordinal { isSorted = false }
            ordinal = object.runtimeOrdinal
            refersToObjects = refersToObjects || object.runtime.hasRelationships
        }
        let inserted = isReady ? noted : ContiguousArray(context.changes.liveInserted)
        // A stable order within each entity keeps rows in the order of insertion.
        self.inserted =
            isSorted
            ? inserted
            : SaveWriter.sortedByEntity(inserted)
        updates = WriteList(context.changes.updated) { $0.isUpdated }
        deletions = WriteList(context.changes.deleted) { $0.flags.contains(.deleted) }
        // Components are of the main store alone.
        derived = Array(
            repeating: target.isMain ? .unknown : .none, count: context.model.runtimes.count)
        needsResolving = refersToObjects || updates.hasRelationships
        if context.lineage?.isWatched == true { versions = [:] }
    }

    var updated: ContiguousArray<NSManagedObject> { updates.objects }
    var deleted: ContiguousArray<NSManagedObject> { deletions.objects }

    /// The number of the target's store, see ``FormerStores``.
    ///
    /// - Parameter key: A permanent key of an object of the target.
    func storeNumber(of key: ObjectKey) -> UInt32 {
        if let knownStoreNumber { return knownStoreNumber }
        let number = context.storeNumber(of: key)
        knownStoreNumber = number
        return number
    }

    private static func sortedByEntity(
        _ objects: ContiguousArray<NSManagedObject>
    ) -> ContiguousArray<NSManagedObject> {
        var ordinals: ContiguousArray<Int> = []
        ordinals.reserveCapacity(objects.count)
        objects.forEachUnretained { ordinals.append($0.runtimeOrdinal) }
        let order = orderByOrdinal(ordinals)
        let lookAhead = LookAhead()
        var sorted: ContiguousArray<NSManagedObject> = []
        sorted.reserveCapacity(objects.count)
        for index in order.indices {
            lookAhead.object(index, order, objects)
            sorted.append(objects[order[index]])
        }
        return sorted
    }

    /// The positions in the order of their ordinals, and those of one ordinal as they are.
    ///
    /// There are few entities, so they are counted and not compared.
    static func orderByOrdinal(_ ordinals: ContiguousArray<Int>) -> ContiguousArray<Int> {
        // By ordinal: how many there are, and then the place of the next one.
        var places: ContiguousArray<Int> = []
        for ordinal in ordinals {
            while places.count <= ordinal { places.append(0) }
            places[ordinal] += 1
        }
        var start = 0
        for ordinal in places.indices {
            let count = places[ordinal]
            places[ordinal] = start
            start += count
        }
        var order = ContiguousArray(repeating: 0, count: ordinals.count)
        for index in ordinals.indices {
            let ordinal = ordinals[index]
            order[places[ordinal]] = index
            places[ordinal] += 1
        }
        return order
    }

    /// Writes everything; returns the transaction's number.
    ///
    /// - Parameters:
    ///   - transaction: Where to write.
    ///   - hasWritten: Whether something has been written into it already.
    /// - Throws: ``SaveInterruption`` when there are ``conflicting`` objects.
    func write(_ transaction: SaveTransaction, hasWritten: Bool) throws -> UInt64 {
        try assignKeys(transaction)
        unwritten.removeAll()
        let isNext =
            transaction.isFirst
            && transaction.transactionID == (target.snapshot?.transactionID ?? 0) + 1
        conflicting.removeAll()
        self.hasWritten = hasWritten || !inserted.isEmpty
        // A local encoder: one kept in a property is checked for overlapping accesses each time.
        var encoder = RecordEncoder()
        try deleteAll(checksVersion: !isNext, transaction)
        try updateAll(&encoder, checksVersion: !isNext, transaction)
        try checkFormer(transaction)
        if !context.saving.locked.isEmpty { try checkLocked(transaction) }
        guard conflicting.isEmpty else { throw SaveInterruption.conflicts }
        try insertAll(&encoder, transaction)
        try restoreDerivedEntries(transaction)
        return transaction.transactionID
    }

    /// How many objects the save writes or deletes.
    var objectCount: Int { inserted.count + updated.count + deleted.count }

    /// What the log of changes is to know; `nil` where nothing was written.
    func note(_ transactionID: UInt64) -> ChangeLog.Note? {
        // A transaction that wrote nothing gives its number to the next one.
        guard hasWritten else { return nil }
        var keys: [ObjectKey] = []
        keys.reserveCapacity(updated.count + deleted.count)
        updated.forEachUnretained { keys.append(inner($0.key)) }
        for object in deleted { keys.append(inner(object.key)) }
        return ChangeLog.Note(transactionID: transactionID, keys: keys)
    }

    func assignKeys(_ transaction: SaveTransaction) throws {
        var keys: ContiguousArray<ObjectKey> = []
        keys.reserveCapacity(inserted.count)
        let lookAhead = LookAhead()
        var start = 0
        while start < inserted.count {
            let objects = inserted
            let ordinal = objects[start].runtimeOrdinal
            var fresh = 0
            let none = ObjectKey(rawValue: 0)
            let end = endOfEntity(from: start) { object in
                lookAhead.reservedKey(keys.count, objects)
                let key = object.reservedKey.map(inner) ?? none
                keys.append(key)
                if key == none { fresh += 1 }
            }
            let table = target.table(ordinal)
            var row = fresh == 0 ? 0 : try transaction.allocateRows(fresh, in: table)
            for index in start..<end where fresh > 0 && keys[index] == none {
                keys[index] = ObjectKey(entity: table.number, row: row)
                row += 1
            }
            if fresh < end - start { arrange(start..<end, &keys) }
            start = end
        }
        self.keys = keys
        transaction.insertedKeys = InsertedKeys(keys)
        guard needsResolving else { return }
        permanentKeys = PermanentKeys(inserted, keys)
    }

    /// Puts objects whose keys were given before the save in the order of the keys: rows that are
    /// written in their order are appended.
    private func arrange(_ range: Range<Int>, _ keys: inout ContiguousArray<ObjectKey>) {
        let order = KeyOrder(ContiguousArray(keys[range].lazy.map(\.rawValue))).positions
        guard !order.elementsEqual(order.indices) else { return }
        let (objects, unordered) = (inserted, keys)
        for (index, position) in zip(range, order) {
            inserted[index] = objects[range.lowerBound + position]
            keys[index] = unordered[range.lowerBound + position]
        }
    }

    /// The position behind the objects of one entity, calling a body with each.
    @inline(__always)
    func endOfEntity(from start: Int, _ body: (NSManagedObject) throws -> Void) rethrows
        -> Int
    {
        let inserted = self.inserted
        let ordinal = inserted[start].runtimeOrdinal
        var end = start
        while end < inserted.count {
            // SAFETY: the local list holds its objects throughout.
            let isSame = try Unmanaged.passUnretained(inserted[end])._withUnsafeGuaranteedRef {
                guard $0.runtime.ordinal == ordinal else { return false }
                try body($0)
                return true
            }
            guard isSame else { break }
            end += 1
        }
        return end
    }

    func derivedEntries(of object: NSManagedObject) -> (any DerivedEntries.Type)? {
        let ordinal = object.runtimeOrdinal
        switch derived[ordinal] {
        case .none: return nil
        case .entries(let type): return type
        case .unknown:
            let type = object.runtime.objectClass as? any DerivedEntries.Type
            derived[ordinal] = type.map { .entries($0) } ?? .none
            return type
        }
    }

    /// The file's key for one of the context's; temporary keys are the same.
    @inline(__always)
    func inner(_ key: ObjectKey) -> ObjectKey {
        guard let file else { return key }
        return file.inner(key)
    }

    func resolve(_ key: ObjectKey) -> ObjectKey {
        key.isTemporary ? permanentKeys[key] : inner(key)
    }

    /// As `resolve(_:)`, with the key that the context has from now on.
    func resolveHere(_ key: ObjectKey) -> ObjectKey {
        guard key.isTemporary else { return key }
        let permanent = permanentKeys[key]
        return permanent.rawValue == 0 ? permanent : target.outer(permanent)
    }

    /// Inserts entity by entity: what is the same for all objects of one is looked up once.
    func insertAll(
        _ encoder: inout RecordEncoder, _ transaction: SaveTransaction
    ) throws {
        let (keys, objects) = (self.keys, inserted)
        let lookAhead = LookAhead()
        // Once: each reference to the method would retain the writer.
        let resolve = { (key: ObjectKey) in self.resolve(key) }
        var index = 0
        while index < objects.count {
            let first = objects[index]
            let table = target.table(first.runtimeOrdinal)
            let layout = table.layout
            let derived = derivedEntries(of: first)
            _ = try endOfEntity(from: index) { object in
                lookAhead.wholeObject(index, objects)
                let key = keys[index]
                index += 1
                let version = firstVersion(of: object, transaction.transactionID)
                let record = encoder.encode(
                    layout: layout, version: version, base: nil, draft: object.draft,
                    resolve: resolve)
                try transaction.insert(record, for: key, in: table)
                if encoder.hasExternalValues {
                    try write(encoder.externalValues, key, table, transaction)
                }
                if object.hasExtras { writeLinks(of: object, key, table, transaction) }
                if let derived { try derived.write(object, key, nil, transaction, resolve) }
            }
        }
    }

    func writeLinks(
        of object: NSManagedObject, _ key: ObjectKey, _ table: EntityTable,
        _ transaction: SaveTransaction
    ) {
        // SAFETY: the object keeps its extras and its runtime, and the extras keep the states,
        // while nothing but the transaction is used. An import comes by here for most owners of
        // its rows in each save.
        let runtime = object.runtimeReference
        object.extrasWord.reference?._withUnsafeGuaranteedRef { extras in
            for index in 0..<extras.toMany.count {
                extras.toMany.reference(at: index)?._withUnsafeGuaranteedRef { state in
                    guard state.hasChanges else { return }
                    let position = runtime._withUnsafeGuaranteedRef {
                        $0.toManyRelationships[index].position
                    }
                    writeLinks(state, key, table.relationships[position], transaction)
                }
            }
        }
    }

    private func writeLinks(
        _ state: ToManyState, _ key: ObjectKey, _ links: RelationshipTable,
        _ transaction: SaveTransaction
    ) {
        if let order = state.order, links.isRanked {
            let keys = order.map(resolve).filter { $0.rawValue != 0 }
            return transaction.order(ContiguousArray(keys), of: key, links)
        }
        for destination in state.removed where !destination.isTemporary {
            transaction.unlink(key, from: inner(destination), links)
        }
        if state.isOrdered {
            for destination in state.appended { link(key, destination, links, transaction) }
        } else {
            for destination in state.added { link(key, destination, links, transaction) }
        }
    }
}

extension SaveWriter {
    /// Writes one link, unless its destination is unsaved and not part of the save.
    @inline(__always)
    private func link(
        _ key: ObjectKey, _ destination: ObjectKey, _ links: RelationshipTable,
        _ transaction: SaveTransaction
    ) {
        let resolved = resolve(destination)
        if resolved.rawValue != 0 { transaction.link(key, to: resolved, links) }
    }

    func write(
        _ values: [ExternalValue], _ key: ObjectKey, _ table: EntityTable,
        _ transaction: SaveTransaction
    ) throws {
        for value in values {
            try transaction.putExternalValue(
                value.bytes, of: key, table.layout.fields[value.field].number)
        }
    }

    /// The inserted objects by the file's keys that they had in the transaction.
    func insertedByKey() -> [ObjectKey: NSManagedObject] {
        Dictionary(zip(keys, inserted)) { first, _ in first }
    }
}

/// Why a transaction of a save was given up.
enum SaveInterruption: Error {
    /// Another commit changed or deleted objects of the save.
    case conflicts
}
