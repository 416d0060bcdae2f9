// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// Writes the rows of a table of a new store as records, without making objects.
///
/// It serves tables whose references lead to rows that are written before, and whose only unique
/// attribute is their key. What it writes and reports is what the objects phase would.
final class RowLoader {
    /// A row of the batch, by which it is reported.
    private struct Origin {
        let line: Int
        let number: Int
        /// The place among all rows of the batch, the rejected ones among them.
        let order: Int
    }

    /// How many batches one commit writes: their records take less memory than the values, and an
    /// index is written once for all of them.
    private static let batchesPerCommit = 8

    private let entity: InferredEntity
    private let form: RowForm
    /// The attribute that is the key, if there is one.
    private let keyPlace: AttributePlace?
    /// Of each to-one relationship.
    private let destinations: [InferredEntity]
    private var keyed: [KeyedRows]
    private let context: NSManagedObjectContext
    private let batchSize: Int
    /// The rows of the batch as values.
    private var rows = PlainRows()
    private var references: ContiguousArray<Value> = []
    /// The rows of the commit as records, if there are any.
    private var records: RowBatch?
    /// Of each record, then of each row of the batch.
    private var origins: [Origin] = []
    private var rejected: [(order: Int, row: RejectedRow)] = []
    private var file = ""
    /// The rows since the last commit, the rejected ones among them.
    private(set) var count = 0

    /// Whether the batch is full.
    var isFull: Bool { rows.count >= batchSize }
    /// Whether the rows are enough for a commit.
    var isDue: Bool { count >= RowLoader.batchesPerCommit * batchSize }

    /// `nil` for a table whose rows have to become objects.
    init?(_ loader: BulkLoader, _ table: TableIndex) throws {
        let (plan, places) = (loader.plan, loader.places)
        context = loader.context
        batchSize = loader.options.batchSize
        guard case .entity(let index) = plan.tables[table].target,
            !plan.tables[table].hasDeferredWork, plan.tables[table].arrayLinks.isEmpty
        else { return nil }
        let entity = plan.model[index]
        let key = entity.keyIndex
        guard
            entity.attributes.indices.allSatisfy({ !entity.attributes[$0].isUnique || $0 == key }),
            let form = try RowForm(
                places[index].description, attributes: places[index].attributes,
                toOne: places[index].toOne.map(\.place), in: loader.context)
        else { return nil }
        self.entity = entity
        self.form = form
        keyPlace = key.map { places[index].attributes[$0] }
        var keyed: [KeyedRows] = []
        for relationship in places[index].toOne {
            let other = plan.model[relationship.destination]
            guard let key = other.keyIndex else { return nil }
            let column = KeyColumn(
                entity: other, attribute: key, places[relationship.destination])
            keyed.append(KeyedRows(column))
        }
        self.keyed = keyed
        destinations = places[index].toOne.map { plan.model[$0.destination] }
    }

    /// Takes a row.
    func append(_ row: ConvertedRow, of file: String) {
        rows.values.append(contentsOf: row.values)
        references.append(contentsOf: row.references)
        origins.append(Origin(line: row.line, number: row.number, order: count))
        rows.count += 1
        count += 1
        self.file = file
    }

    /// Takes a row that cannot be used.
    func append(_ rejection: RejectedRow) {
        rejected.append((count, rejection))
        count += 1
    }

    /// Makes records of the batch; the rows that it refers to are written.
    func encode() throws {
        guard rows.count > 0 else { return }
        try resolve()
        let batch = try records ?? RowBatch(form, in: context)
        records = batch
        try batch.append(rows)
        rows.values.removeAll(keepingCapacity: true)
        rows.destinations.removeAll(keepingCapacity: true)
        rows.count = 0
        references.removeAll(keepingCapacity: true)
    }

    /// Writes all records.
    ///
    /// - Parameter reject: Takes the rows that are not among them, in the order of the file.
    /// - Returns: How many there are.
    func commit(reject: (RejectedRow) throws -> Void) throws -> Int {
        let batch = records
        records = nil
        for omission in try batch?.commit(telling: keyPlace) ?? [] {
            guard let key = entity.keyIndex else { continue }
            note(
                origins[omission.row],
                RejectionReason.duplicate(entity.attributes[key], omission.value))
        }
        let (total, rejected) = (count, rejected.sorted { $0.order < $1.order })
        origins.removeAll(keepingCapacity: true)
        self.rejected.removeAll()
        count = 0
        for (_, row) in rejected { try reject(row) }
        return total - rejected.count
    }

    private func note(_ origin: Origin, _ reason: String) {
        let rejection = RejectedRow(
            file: file, line: origin.line, row: origin.number, entity: entity.name,
            reason: reason)
        rejected.append((origin.order, rejection))
    }
}

extension RowLoader {
    /// Finds the destinations of all rows, and takes out those that lead nowhere.
    private func resolve() throws {
        guard !keyed.isEmpty else { return }
        rows.destinations.append(contentsOf: repeatElement(nil, count: references.count))
        var dangling: [Int: String] = [:]
        for relationship in keyed.indices {
            for place in try unresolved(relationship) {
                let row = place / keyed.count
                if dangling[row] != nil { continue }
                dangling[row] = RejectionReason.dangling(
                    entity.toOne[relationship].sourceName, references[place],
                    destinations[relationship])
            }
        }
        guard !dangling.isEmpty else { return }
        let first = origins.count - rows.count
        for (row, reason) in dangling { note(origins[first + row], reason) }
        remove(dangling)
    }

    /// Sets the destinations of one relationship; returns the places of keys that lead nowhere.
    private func unresolved(_ relationship: Int) throws -> [Int] {
        var missing: [(place: Int, key: LookupKey)] = []
        var wanted: [LookupKey: Value] = [:]
        for place in stride(from: relationship, to: references.count, by: keyed.count) {
            guard let key = LookupKey(references[place]) else { continue }
            if let object = keyed[relationship][key] {
                rows.destinations[place] = object
            } else {
                missing.append((place, key))
                wanted[key] = references[place]
            }
        }
        try keyed[relationship].find(wanted, in: context)
        return missing.compactMap { place, key in
            rows.destinations[place] = keyed[relationship][key]
            return rows.destinations[place] == nil ? place : nil
        }
    }

    private func remove(_ dangling: [Int: String]) {
        var kept = PlainRows()
        let first = origins.count - rows.count
        var keptOrigins = Array(origins[..<first])
        let (width, references) = (entity.attributes.count, keyed.count)
        for row in 0..<rows.count where dangling[row] == nil {
            kept.values += rows.values[row * width..<(row + 1) * width]
            kept.destinations += rows.destinations[row * references..<(row + 1) * references]
            kept.count += 1
            keptOrigins.append(origins[first + row])
        }
        rows = kept
        origins = keptOrigins
    }
}
