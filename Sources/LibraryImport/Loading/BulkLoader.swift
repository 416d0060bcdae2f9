// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Traps

/// Executes an import plan in a context.
///
/// Rows collect in a batch for each table. A full batch is written with one fetch for each entity
/// that it refers to and one save; then nothing of it stays in memory but a byte for each row of a
/// table with deferred references.
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
        context: NSManagedObjectContext, progress: ImportProgress.Handler?
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
        for index in tables.indices { try prepare(index, survey.entities[index]) }
    }

    private func prepare(_ index: TableIndex, _ statistics: EntityStatistics) throws {
        guard case .entity(let entityIndex) = plan.tables[index].target else { return }
        let entity = model[entityIndex]
        let isEmpty =
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.name)) == 0
        guard let key = entity.key else {
            tables[index].mayExist = !isEmpty
            if !isEmpty { tables[index].digests = try digests(of: entityIndex) }
            return
        }
        let column = statistics.columns.first { $0.name == key.sourceName }
        let isDistinct =
            column.map { $0.keys?.isUnique == true && $0.present <= KeyTracker.limit } ?? false
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
            var pending = PendingRow(
                row: output, rejection: nil, index: tables[table].rowCount, file: reader.file)
            switch converter.convert(raw, from: reader, into: &output) {
            case .ignored: continue
            case .converted: pending.row = output
            case .rejected(let rejection): pending.rejection = rejection
            }
            tables[table].rowCount += 1
            tables[table].pending.append(pending)
            if tables[table].pending.count >= options.batchSize { try flush(table, step.phase) }
        }
        for table in step.tables { try flush(table, step.phase) }
        meter.finishSource(rows: rows)
    }

    /// Writes the batch of a table, after those that it refers to.
    func flush(_ table: TableIndex, _ phase: LoadStep.Phase) throws {
        guard !tables[table].pending.isEmpty else { return }
        let batch = tables[table].pending
        tables[table].pending = []
        for other in destinations(of: table, phase) where other != table {
            try flush(other, phase)
        }
        switch (plan.tables[table].target, phase) {
        case (.ignored, _): break
        case (.entity(let entity), .objects): try loadObjects(batch, table, entity)
        case (.entity(let entity), .references): try loadReferences(batch, table, entity)
        case (.links(let link), _): try loadLinks(batch, link)
        }
        if context.hasChanges { try context.save() }
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
