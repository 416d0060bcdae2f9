// SPDX-License-Identifier: Apache-2.0

import Schema

/// Puts the sources in an order in which few references point ahead, and finds those that still do.
struct LoadOrder {
    private let survey: LibrarySurvey
    /// The tables that each table refers to.
    private let destinations: IndexedList<TableIndex, [TableIndex]>
    /// The table of each entity of the model, by name.
    private let tableOfEntity: [String: TableIndex]
    private let model: InferredModel
    /// The sections of each source, and of each table.
    private var sectionsOfSource: IndexedList<SourceIndex, [LibrarySurvey.Section]>
    private var sectionsOfTable: IndexedList<TableIndex, [LibrarySurvey.Section]>
    /// The sources in the order in which they are read.
    private var order: [SourceIndex] = []
    /// For each table, the place in the stream of its first and last row; `nil` without rows.
    private var spans: IndexedList<TableIndex, ClosedRange<Int>?> = .init([])

    init(
        survey: LibrarySurvey, tables: IndexedList<TableIndex, TablePlan>, model: InferredModel
    ) {
        self.survey = survey
        self.model = model
        var tableOfEntity: [String: TableIndex] = [:]
        for index in tables.indices {
            if case .entity(let entity) = tables[index].target {
                tableOfEntity[model[entity].name] = index
            }
        }
        self.tableOfEntity = tableOfEntity
        destinations = IndexedList(
            tables.map { table in
                Self.destinations(of: table, model).compactMap { tableOfEntity[$0] }
            })
        sectionsOfSource = IndexedList(repeating: [], count: survey.sources.count)
        sectionsOfTable = IndexedList(repeating: [], count: survey.entities.count)
        for section in survey.sections {
            sectionsOfSource[section.source].append(section)
            sectionsOfTable[section.table].append(section)
        }
        order = sortedSources()
        var ranks = IndexedList<SourceIndex, Int>(repeating: 0, count: order.count)
        for (rank, source) in order.enumerated() { ranks[source] = rank }
        spans = IndexedList(tables.indices.map { span($0, ranks) })
    }

    private static func destinations(of table: TablePlan, _ model: InferredModel) -> [String] {
        switch table.target {
        case .ignored: []
        case .entity(let entity):
            model[entity].toOne.map(\.destination)
                + table.arrayLinks.map { model[$0].second.entity }
        case .links(let link): [model[link].first.entity, model[link].second.entity]
        }
    }

    /// Sources come after all that they refer to; if there is no such source, the first of the rest
    /// is next.
    ///
    /// - Complexity: O(sources + references), but for keeping those that are ready in order.
    private func sortedSources() -> [SourceIndex] {
        // How many sources that are not read yet have rows of each table.
        var unread = IndexedList<TableIndex, Int>(
            sectionsOfTable.map { Set($0.map(\.source)).count })
        let referring = referringSources()
        var ready = ReadySources(survey.sources.count)
        for source in survey.sources.indices.reversed() where isReady(source, unread) {
            ready.add(source)
        }
        var sorted: [SourceIndex] = []
        while let next = ready.takeNext() {
            sorted.append(next)
            for table in Set(sectionsOfSource[next].map(\.table)) {
                unread[table] -= 1
                // A source may have the last rows of a table that it refers to itself.
                guard unread[table] <= 1 else { continue }
                for source in referring[table] where isReady(source, unread) { ready.add(source) }
            }
        }
        return sorted
    }

    /// The sources with references to each table.
    private func referringSources() -> IndexedList<TableIndex, [SourceIndex]> {
        var result = IndexedList<TableIndex, [SourceIndex]>(
            repeating: [], count: destinations.count)
        for source in survey.sources.indices {
            for table in Set(sectionsOfSource[source].flatMap({ destinations[$0.table] })) {
                result[table].append(source)
            }
        }
        return result
    }

    /// Whether all that a source refers to was read before or is in it.
    private func isReady(
        _ source: SourceIndex, _ unread: IndexedList<TableIndex, Int>
    ) -> Bool {
        let sections = sectionsOfSource[source]
        return sections.allSatisfy { section in
            destinations[section.table].allSatisfy { destination in
                unread[destination] == 0
                    || unread[destination] == 1
                        && sections.contains { $0.table == destination }
            }
        }
    }

    private func span(
        _ table: TableIndex, _ ranks: IndexedList<SourceIndex, Int>
    ) -> ClosedRange<Int>? {
        var places: [Int] = []
        for section in sectionsOfTable[table] where section.rowCount > 0 {
            // Sections that alternate within one source cannot be compared by their places.
            let isMixed = survey.mixedSources.contains(section.source)
            places.append(ranks[section.source] << 20 + (isMixed ? 0 : section.section))
        }
        guard let first = places.min(), let last = places.max() else { return nil }
        return first...last
    }

    /// Whether every row of `destination` comes before the first of `table`.
    private func isBefore(_ destination: TableIndex, _ table: TableIndex) -> Bool {
        guard let last = spans[destination]?.upperBound, let first = spans[table]?.lowerBound
        else { return true }
        return last < first
    }

    private func isBefore(_ destination: String, _ table: TableIndex) -> Bool {
        tableOfEntity[destination].map { isBefore($0, table) } ?? true
    }

    /// Marks what has to wait until all objects exist.
    func markDeferred(_ tables: inout IndexedList<TableIndex, TablePlan>) {
        for index in tables.indices {
            switch tables[index].target {
            case .ignored: break
            case .links:
                tables[index].isDeferred = destinations[index].contains { !isBefore($0, index) }
            case .entity(let entity):
                for (number, relationship) in model[entity].toOne.enumerated()
                where !isBefore(relationship.destination, index) {
                    tables[index].deferredToOne.insert(number)
                }
                for (number, link) in tables[index].arrayLinks.enumerated()
                where !isBefore(model[link].second.entity, index) {
                    tables[index].deferredArrays.insert(number)
                }
            }
        }
    }

    /// The readings of the sources.
    func steps(_ tables: IndexedList<TableIndex, TablePlan>) -> [LoadStep] {
        let objects = order.compactMap { source in
            step(source, .objects) { tables[$0].target != .ignored && !tables[$0].isDeferred }
        }
        let references = order.compactMap { source in
            step(source, .references) { tables[$0].hasDeferredWork }
        }
        return objects + references
    }

    private func step(
        _ source: SourceIndex, _ phase: LoadStep.Phase, where matters: (TableIndex) -> Bool
    ) -> LoadStep? {
        let here = sectionsOfSource[source].map(\.table)
        let tables = Set(here.filter(matters)).sorted()
        return tables.isEmpty ? nil : LoadStep(source: source, phase: phase, tables: tables)
    }
}

/// The sources that are not read yet, and which of them can be.
private struct ReadySources {
    /// Descending, so that the first one is taken off the end.
    private var ready: [SourceIndex] = []
    private var isKnown: IndexedList<SourceIndex, Bool>
    private var first: SourceIndex = 0

    init(_ count: Int) { isKnown = IndexedList(repeating: false, count: count) }

    /// Notes that a source can be read; once is enough.
    mutating func add(_ source: SourceIndex) {
        guard !isKnown[source] else { return }
        isKnown[source] = true
        ready.insert(source, at: ready.partitioningIndex { $0 <= source })
    }

    /// The first source that can be read, or the first of those left.
    mutating func takeNext() -> SourceIndex? {
        if let next = ready.popLast() { return next }
        while first < isKnown.endIndex, isKnown[first] { first = isKnown.index(after: first) }
        guard first < isKnown.endIndex else { return nil }
        isKnown[first] = true
        return first
    }
}
