// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Traps

/// Executes an import plan in a context.
///
/// Rows collect in a batch for each table. A full batch is written with one fetch for each entity
/// that it refers to and one save; then nothing of it stays in memory but a byte for each row of a
/// table with deferred references. Tables of a new store that need no objects have a ``RowLoader``.
final class BulkLoader {
    let plan: ImportPlan
    let options: ImportOptions
    let context: NSManagedObjectContext
    var tables: IndexedList<TableIndex, TableState>
    var report: ImportReport
    let places: ModelPlaces
    private let progress: ImportProgress.Handler?
    /// The tables of each entity of the model.
    private var tablesOfEntity: IndexedList<EntityIndex, [TableIndex]>

    var model: InferredModel { plan.model }

    init(
        _ plan: ImportPlan, _ survey: LibrarySurvey, options: ImportOptions,
        context: NSManagedObjectContext, isNew: Bool, progress: ImportProgress.Handler?
    ) throws {
        require(options.batchSize > 0, "a batch of \(options.batchSize) rows holds nothing")
        self.plan = plan
        self.options = options
        self.context = context
        self.progress = progress
        report = ImportReport(model: plan.model, rejectionLimit: options.rejectionLimit)
        places = ModelPlaces(plan.model, in: context)
        tables = IndexedList(repeating: TableState(), count: plan.tables.count)
        tablesOfEntity = IndexedList(repeating: [], count: plan.model.entities.count)
        for index in plan.tables.indices {
            guard case .entity(let entity) = plan.tables[index].target else { continue }
            tablesOfEntity[entity].append(index)
        }
        for index in tables.indices {
            try prepare(index, survey.entities[index])
            if isNew { tables[index].rows = try makeRowLoader(index) }
        }
    }

    /// What writes a table without objects; `nil` where its rows have to be compared with others.
    private func makeRowLoader(_ index: TableIndex) throws -> RowLoader? {
        guard case .entity(let entity) = plan.tables[index].target,
            tablesOfEntity[entity].count == 1
        else { return nil }
        return try RowLoader(self, index)
    }

    private func prepare(_ index: TableIndex, _ statistics: EntityStatistics) throws {
        guard case .entity(let entityIndex) = plan.tables[index].target else { return }
        let entity = model[entityIndex]
        let isEmpty =
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.name)) == 0
        guard let key = entity.key else {
            tables[index].mayExist = !isEmpty
            if !isEmpty { tables[index].expect(try digests(of: entityIndex)) }
            return
        }
        let column = statistics.columns.first { $0.name == key.sourceName }
        let isDistinct =
            column.map {
                $0.keys?.isUnique == true && $0.present <= KeyTracker.limit
                    && $0.keepsApart(as: key.type)
            } ?? false
        tables[index].duplicates = isDistinct ? .none : isEmpty ? .found : .tracked([])
        tables[index].mayExist = !isEmpty || !isDistinct
    }

    /// Goes through all steps.
    func run() throws -> ImportReport {
        for phase in [LoadStep.Phase.objects, .references] {
            let steps = plan.steps.filter { $0.phase == phase }
            guard !steps.isEmpty else { continue }
            for index in tables.indices { tables[index].rowCount = 0 }
            var meter = ProgressMeter(
                phase == .objects ? .objects : .references,
                sources: steps.map { plan.sources[$0.source] }, handler: progress)
            for step in steps { try run(step, &meter) }
        }
        return report
    }

    private func run(_ step: LoadStep, _ meter: inout ProgressMeter) throws {
        let reader = try plan.open(step)
        var converter = RowConverter(plan)
        var raw = RawRow()
        var output = ConvertedRow()
        var rows = 0
        while try reader.next(into: &raw) {
            rows += 1
            meter.step(reader)
            guard let table = converter.table(of: raw, from: reader), step.tables.contains(table)
            else { continue }
            switch converter.convert(raw, from: reader, into: &output) {
            case .ignored: break
            case .converted: try take(output, nil, of: reader.file, table, step.phase)
            case .rejected(let rejection):
                try take(output, rejection, of: reader.file, table, step.phase)
            }
        }
        for table in step.tables { try flush(table, step.phase) }
        meter.finishSource(rows: rows)
    }

    /// Adds a row to the batch of its table, which is written when it is full.
    ///
    /// - Parameter rejection: Why the row cannot be used.
    private func take(
        _ row: ConvertedRow, _ rejection: RejectedRow?, of file: String, _ table: TableIndex,
        _ phase: LoadStep.Phase
    ) throws {
        if let rows = tables[table].rows {
            if let rejection { rows.append(rejection) } else { rows.append(row, of: file) }
            if rows.isFull { try encode(rows, table, phase) }
            if rows.isDue { try flush(table, phase) }
            return
        }
        tables[table].pending.append(
            PendingRow(
                row: row, rejection: rejection, index: tables[table].rowCount, file: file))
        tables[table].rowCount += 1
        if tables[table].pending.count >= options.batchSize { try flush(table, phase) }
    }

    /// Writes the batch of a table, after those that it refers to.
    func flush(_ table: TableIndex, _ phase: LoadStep.Phase) throws {
        guard tables[table].hasRows else { return }
        let batch = tables[table].pending
        tables[table].pending = []
        if let rows = tables[table].rows { return try write(rows, table, phase) }
        try flushDestinations(of: table, phase)
        try write(batch, table, phase)
    }

    /// Makes records of a full batch.
    private func encode(
        _ rows: RowLoader, _ table: TableIndex, _ phase: LoadStep.Phase
    ) throws {
        try flushDestinations(of: table, phase)
        try rows.encode()
    }

    private func write(
        _ rows: RowLoader, _ table: TableIndex, _ phase: LoadStep.Phase
    ) throws {
        guard case .entity(let entity) = plan.tables[table].target else { return }
        try encode(rows, table, phase)
        let count = rows.count
        let inserted = try rows.commit(reject: reject)
        report[entity].read += count
        report[entity].inserted += inserted
        report[entity].rejected += count - inserted
    }

    private func flushDestinations(of table: TableIndex, _ phase: LoadStep.Phase) throws {
        for other in destinations(of: table, phase) where other != table {
            try flush(other, phase)
        }
    }

    /// The tables whose rows must be written before those of a table.
    private func destinations(of table: TableIndex, _ phase: LoadStep.Phase) -> [TableIndex] {
        // All objects exist in the references phase.
        guard phase == .objects else { return [] }
        var entities: Set<EntityIndex> = []
        let tablePlan = plan.tables[table]
        switch tablePlan.target {
        case .ignored: break
        case .links(let link):
            entities = [places[link].first.entity, places[link].second.entity]
        case .entity(let entity):
            for (number, relationship) in places[entity].toOne.enumerated()
            where !tablePlan.deferredToOne.contains(number) {
                entities.insert(relationship.destination)
            }
            for (number, link) in tablePlan.arrayLinks.enumerated()
            where !tablePlan.deferredArrays.contains(number) {
                entities.insert(places[link].second.entity)
            }
        }
        return entities.flatMap { tablesOfEntity[$0] }.sorted()
    }

    /// Reports a row; throws for it in a strict import.
    func reject(_ rejection: RejectedRow) throws {
        if options.isStrict { throw rejection.strictError }
        report.reject(rejection)
    }

    /// The report of a row that the store refuses.
    func rejection(_ pending: PendingRow, _ name: String, _ reason: String) -> RejectedRow {
        RejectedRow(
            file: pending.file, line: pending.row.line, row: pending.row.number, entity: name,
            reason: reason)
    }
}
