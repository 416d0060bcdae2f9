// SPDX-License-Identifier: Apache-2.0

/// Reads all sources once and collects a ``LibrarySurvey``, in memory bounded by the number of
/// columns.
struct Surveyor {
    private var survey: LibrarySurvey
    private let mapping: ImportMapping?
    /// The tables by their names in the data.
    private var tables: [String: TableIndex] = [:]
    /// The current source's sections: index in `survey.sections` and columns by field.
    private var bindings: [(section: Int, columns: [Int])] = []

    private init(_ sources: [ImportSource], _ mapping: ImportMapping?) {
        survey = LibrarySurvey(sources: IndexedList(sources))
        self.mapping = mapping
    }

    /// Surveys sources.
    /// - Parameters:
    ///   - mapping: Names keys and top-level values to ignore.
    ///   - progress: Called once every few thousand rows.
    /// - Throws: ``ImportError`` as the readers do.
    static func survey(
        _ sources: [ImportSource], mapping: ImportMapping? = nil, options: ReaderOptions = .init(),
        progress: ImportProgress.Handler? = nil
    ) throws(ImportError) -> LibrarySurvey {
        var surveyor = Surveyor(sources, mapping)
        let readerOptions = options.ignoring(mapping)
        var meter = ProgressMeter(.survey, sources: sources, handler: progress)
        for index in surveyor.survey.sources.indices {
            let reader = try surveyor.survey.sources[index].open(readerOptions)
            try surveyor.read(reader, source: index, meter: &meter)
            meter.finishSource(rows: reader.sections.reduce(0) { $0 + $1.rowCount })
        }
        return surveyor.survey
    }

    private mutating func read(
        _ reader: any RowSource, source: SourceIndex, meter: inout ProgressMeter
    ) throws(ImportError) {
        bindings = []
        let isUntyped = reader.isUntyped
        var row = RawRow()
        var lastSection = 0
        while try reader.next(into: &row) {
            bind(row, of: reader, source: source)
            let table = survey.sections[bindings[row.section].section].table
            if let problem = row.problem {
                survey.entities[table].problemCount += 1
                if survey.firstProblem == nil {
                    survey.firstProblem = RejectedRow(
                        file: reader.file, line: row.line, row: row.number,
                        entity: survey.entities[table].sourceName, reason: problem)
                }
            } else {
                survey.entities[table].add(
                    row, binding: bindings[row.section].columns, isUntyped: isUntyped)
            }
            if row.section < lastSection { survey.mixedSources.insert(source) }
            lastSection = row.section
            meter.step(reader)
        }
        register(reader, source: source)
        for (index, binding) in bindings.enumerated() {
            survey.sections[binding.section].rowCount = reader.sections[index].rowCount
            survey.sections[binding.section].fields = Array(
                reader.fieldNames(of: index).prefix(binding.columns.count))
        }
    }

    /// Registers the row's section and each of its fields.
    private mutating func bind(
        _ row: RawRow, of reader: any RowSource, source: SourceIndex
    ) {
        if row.section >= bindings.count { register(reader, source: source) }
        if bindings[row.section].columns.count >= row.values.count { return }
        let names = reader.fieldNames(of: row.section)
        let table = survey.sections[bindings[row.section].section].table
        while bindings[row.section].columns.count < row.values.count {
            let name = names[bindings[row.section].columns.count]
            bindings[row.section].columns.append(survey.entities[table].column(named: name))
        }
    }

    private mutating func register(_ reader: any RowSource, source: SourceIndex) {
        for index in bindings.count..<reader.sections.count {
            let table = table(named: reader.sections[index].name)
            survey.sections.append(.init(source: source, section: index, table: table))
            bindings.append((survey.sections.count - 1, []))
        }
    }

    private mutating func table(named name: String) -> TableIndex {
        if let known = tables[name] { return known }
        let key = mapping?.entities[name]?.key
        let table = survey.entities.append(EntityStatistics(sourceName: name, mappedKey: key))
        tables[name] = table
        return table
    }
}

extension ReaderOptions {
    /// These options, with the entities that a mapping ignores added to the ignored keys.
    func ignoring(_ mapping: ImportMapping?) -> ReaderOptions {
        var copy = self
        for (name, entity) in mapping?.entities ?? [:] where entity.isIgnored {
            copy.ignoredKeys.insert(name)
        }
        return copy
    }
}
