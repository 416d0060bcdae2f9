// SPDX-License-Identifier: Apache-2.0

import Schema

/// How the rows of all sources become objects and links.
///
/// A loader goes through `steps` in order. For each it opens the source with ``open(_:)`` and
/// feeds its rows to a ``RowConverter``. Sources are read so that destinations come before the
/// rows that refer to them where that is possible; other references are deferred.
package struct ImportPlan: Sendable {
    /// The model of the store.
    package let model: InferredModel
    /// The files.
    package let sources: IndexedList<SourceIndex, ImportSource>
    /// The tables, in the order of the survey's entities.
    package private(set) var tables: IndexedList<TableIndex, TablePlan>
    /// The readings of sources, in order: all of the objects phase, then those of the references
    /// phase, which needs none if nothing is deferred.
    package private(set) var steps: [LoadStep] = []
    private let options: ReaderOptions
    private var tablesBySource: [String: TableIndex]

    /// Makes a plan of an inferred model and the survey that it was inferred from.
    init(
        model: InferredModel, survey: LibrarySurvey, mapping: ImportMapping? = nil,
        options: ReaderOptions = .init()
    ) {
        self.model = model
        self.options = options.ignoring(mapping)
        sources = survey.sources
        let making = TablePlanMaking(model)
        tables = IndexedList(survey.entities.map { making.table($0.sourceName) })
        tablesBySource = [:]
        for index in tables.indices where tablesBySource[tables[index].sourceName] == nil {
            tablesBySource[tables[index].sourceName] = index
        }
        let order = LoadOrder(survey: survey, tables: tables, model: model)
        order.markDeferred(&tables)
        steps = order.steps(tables)
    }

    /// Surveys the sources, infers the model and makes the plan.
    /// - Throws: ``ImportError`` as reading and inference do.
    package static func make(
        sources: [ImportSource], mapping: ImportMapping? = nil, options: ReaderOptions = .init(),
        progress: ImportProgress.Handler? = nil
    ) throws(ImportError) -> ImportPlan {
        let survey = try Surveyor.survey(
            sources, mapping: mapping, options: options, progress: progress)
        let model = try ModelInference.infer(survey, mapping: mapping)
        return ImportPlan(model: model, survey: survey, mapping: mapping, options: options)
    }

    /// The table of a name in the data.
    func table(named sourceName: String) -> TableIndex? { tablesBySource[sourceName] }

    /// Opens a step's source at its first row.
    package func open(_ step: LoadStep) throws(ImportError) -> any RowSource {
        try sources[step.source].open(options)
    }
}
