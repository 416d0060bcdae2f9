// SPDX-License-Identifier: Apache-2.0

/// Puts the sources in an order in which few references point ahead, and tells which still do.
struct LoadOrder {
    private let survey: LibrarySurvey
    /// The entities that each table refers to, as indexes of tables.
    private let destinations: [[Int]]
    /// The table of each entity of the model.
    private let tableOfEntity: [String: Int]
    private let model: InferredModel
    /// The sources in the order in which they are read.
    private var order: [Int] = []
    /// For each table, the place in the stream of its first and last row; `nil` without rows.
    private var spans: [ClosedRange<Int>?] = []

    init(survey: LibrarySurvey, tables: [TablePlan], model: InferredModel) {
        self.survey = survey
        self.model = model
        var tableOfEntity: [String: Int] = [:]
        for (index, table) in tables.enumerated() {
            if case .entity(let entity) = table.target {
                tableOfEntity[model.entities[entity].name] = index
            }
        }
        self.tableOfEntity = tableOfEntity
        destinations = tables.map { table in
            Self.destinations(of: table, model).compactMap { tableOfEntity[$0] }
        }
        order = sortedSources()
        spans = tables.indices.map(span)
    }

    private static func destinations(of table: TablePlan, _ model: InferredModel) -> [String] {
        switch table.target {
        case .ignored: []
        case .entity(let entity):
            model.entities[entity].toOne.map(\.destination)
                + table.arrayLinks.map { model.manyToMany[$0].second.entity }
        case .links(let link):
            [model.manyToMany[link].first.entity, model.manyToMany[link].second.entity]
        }
    }

    /// Sources whose references are all read before come first; where that cannot be, the first
    /// of those left.
    private func sortedSources() -> [Int] {
        var left = Array(survey.sources.indices)
        var sorted: [Int] = []
        while !left.isEmpty {
            let next = left.first { isReady($0, left: left) } ?? left[0]
            sorted.append(next)
            left.removeAll { $0 == next }
        }
        return sorted
    }

    private func isReady(_ source: Int, left: [Int]) -> Bool {
        survey.sections.allSatisfy { section in
            section.source != source
                || destinations[section.entity].allSatisfy { destination in
                    !survey.sections.contains {
                        $0.entity == destination && $0.source != source && left.contains($0.source)
                    }
                }
        }
    }

    private func span(_ table: Int) -> ClosedRange<Int>? {
        var places: [Int] = []
        for section in survey.sections where section.entity == table && section.rowCount > 0 {
            guard let rank = order.firstIndex(of: section.source) else { continue }
            // Sections that take turns within one source cannot be told apart by place.
            let isMixed = survey.mixedSources.contains(section.source)
            places.append(rank << 20 + (isMixed ? 0 : section.section))
        }
        guard let first = places.min(), let last = places.max() else { return nil }
        return first...last
    }

    /// Whether every row of `destination` comes before the first of `table`.
    private func isBefore(_ destination: Int, _ table: Int) -> Bool {
        guard let last = spans[destination]?.upperBound, let first = spans[table]?.lowerBound
        else { return true }
        return last < first
    }

    private func isBefore(_ destination: String, _ table: Int) -> Bool {
        tableOfEntity[destination].map { isBefore($0, table) } ?? true
    }

    /// Marks what has to wait until all objects exist.
    func markDeferred(_ tables: inout [TablePlan]) {
        for index in tables.indices {
            switch tables[index].target {
            case .ignored: break
            case .links:
                tables[index].isDeferred = destinations[index].contains { !isBefore($0, index) }
            case .entity(let entity):
                for (number, relationship) in model.entities[entity].toOne.enumerated()
                where !isBefore(relationship.destination, index) {
                    tables[index].deferredToOne.insert(number)
                }
                for (number, link) in tables[index].arrayLinks.enumerated()
                where !isBefore(model.manyToMany[link].second.entity, index) {
                    tables[index].deferredArrays.insert(number)
                }
            }
        }
    }

    /// The readings of the sources.
    func steps(_ tables: [TablePlan]) -> [LoadStep] {
        let objects = order.compactMap { source in
            step(source, .objects) { tables[$0].target != .ignored && !tables[$0].isDeferred }
        }
        let references = order.compactMap { source in
            step(source, .references) { tables[$0].hasDeferredWork }
        }
        return objects + references
    }

    private func step(
        _ source: Int, _ phase: LoadStep.Phase, where matters: (Int) -> Bool
    ) -> LoadStep? {
        let here = survey.sections.filter { $0.source == source }.map(\.entity)
        let tables = Set(here.filter(matters)).sorted()
        return tables.isEmpty ? nil : LoadStep(source: source, phase: phase, tables: tables)
    }
}
