// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Imports JSON, JSON Lines and CSV files into a store.
///
/// ```swift
/// let importer = try LibraryImporter(path: "chinook/", into: storeURL)
/// print(importer.model)
/// print(try importer.load())
/// ```
///
/// *New and existing stores.* A new store is built in a file beside it, which gets the store's name
/// when it is complete and on the disk: so an incomplete store is never visible, and a failure
/// leaves nothing behind. The next import removes the file of one that was killed. Its rows become
/// records without objects where they refer to nothing that comes later. Rows for a store
/// that exists are written to it in saves of a batch each. Its model stays as it is; the data must
/// fit it.
///
/// *Repetition.* A row whose key the store knows changes that object, and only where it differs.
/// The key is an attribute that the store keeps unique, if the data has one. A row of an entity
/// without a key is the same as an object that has all its values. So importing files a second
/// time writes nothing.
///
/// *Rejected rows* are left out and reported, see ``ImportReport``. A reference that has to wait
/// for its destination is set in a second pass; if there is no destination, its row is reported as
/// incomplete: its object stays, without the reference.
public struct LibraryImporter {
    /// The model that the store has or gets.
    public let model: InferredModel
    /// The file of the store.
    public let storeURL: URL
    /// The files to import.
    public let sources: [ImportSource]

    private let plan: ImportPlan
    private let survey: LibrarySurvey
    private let options: ImportOptions
    private let existing: NSManagedObjectModel?

    /// Reads all rows once, infers the model and fits it to that of the store, if there is one.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder of files.
    ///   - storeURL: The store; it need not exist, its folder must.
    ///   - progress: Called on this thread every few thousand rows.
    /// - Throws: ``ImportError``, for data that cannot be read or does not fit the store; a
    ///   `CocoaError` for a file that is no store. Nothing is written.
    public init(
        path: String, into storeURL: URL, options: ImportOptions = ImportOptions(),
        progress: ImportProgress.Handler? = nil
    ) throws {
        self.options = options
        self.storeURL = storeURL
        try StoreFile.checkFolder(of: storeURL)
        let file = storeURL.path
        existing =
            try StoreFile.exists(storeURL) ? try NSManagedObjectModel.stored(at: storeURL) : nil
        sources = try ImportSource.discover(at: path, format: options.format)
        survey = try Surveyor.survey(
            sources, mapping: options.mapping, options: options.reader, progress: progress)
        let fit = existing.map { StoreFit(model: $0, file: file) }
        let inferred = try ModelInference.infer(
            survey, mapping: options.mapping, store: fit?.entities ?? [:])
        guard existing != nil || !inferred.entities.isEmpty else {
            throw Self.nothing(in: survey, at: path)
        }
        model = try fit?.adapt(inferred) ?? inferred
        plan = ImportPlan(
            model: model, survey: survey, mapping: options.mapping, options: options.reader)
    }

    private static func nothing(in survey: LibrarySurvey, at path: String) -> ImportError {
        let message = "there is nothing to import: no row has a value"
        guard let first = survey.firstProblem else {
            return ImportError(.malformed, file: path, message: "\(message); check the path")
        }
        return ImportError(
            .malformed, file: first.file, line: first.line,
            message: "\(message); row \(first.row): \(first.reason)")
    }

    /// Writes the rows.
    ///
    /// - Parameter progress: Called on this thread every few thousand rows.
    /// - Returns: What happened to the rows.
    /// - Throws: ``ImportError/Code/strictRejection`` for the first rejected row of a strict
    ///   import, other ``ImportError``s for files that changed, a `CocoaError` when the store
    ///   failed.
    public func load(progress: ImportProgress.Handler? = nil) throws -> ImportReport {
        let start = ContinuousClock.now
        StoreFile.removeAbandoned(besides: storeURL)
        var report = try existing.map { try loadExisting($0, progress) } ?? loadNew(progress)
        let time = ContinuousClock.now - start
        report.seconds =
            Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return report
    }

    private func loadNew(_ progress: ImportProgress.Handler?) throws -> ImportReport {
        let file = try StoreFile(besides: storeURL)
        defer { file.remove() }
        let model = ModelBuilder(plan).build()
        let report = try load(model, at: file.url, isScratch: true, isNew: true, progress)
        try file.moveIntoPlace(storeURL)
        return report
    }

    /// A strict import first runs on a copy, because a rejected row must leave no trace, and a file
    /// that other processes have open cannot be replaced.
    private func loadExisting(
        _ model: NSManagedObjectModel, _ progress: ImportProgress.Handler?
    ) throws -> ImportReport {
        if options.isStrict {
            let file = try StoreFile(besides: storeURL)
            defer { file.remove() }
            try file.copy(storeURL)
            _ = try load(model, at: file.url, isScratch: true, isNew: false, progress)
        }
        return try load(model, at: storeURL, isScratch: false, isNew: false, progress)
    }

    private func load(
        _ model: NSManagedObjectModel, at url: URL, isScratch: Bool, isNew: Bool,
        _ progress: ImportProgress.Handler?
    ) throws -> ImportReport {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var storeOptions: [AnyHashable: Any] = [:]
        if isScratch { storeOptions[LodeDurabilityOption] = "none" }
        if !isNew, try NSManagedObjectModel.keepsHistory(at: url) {
            storeOptions[NSPersistentHistoryTrackingKey] = true as NSNumber
        }
        let store = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: url, options: storeOptions)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        defer {
            context.reset()
            // A store that is already gone is closed as well.
            try? coordinator.remove(store)
        }
        return try context.performAndWait {
            let loader = try BulkLoader(
                plan, survey, options: options, context: context, isNew: isNew,
                progress: progress)
            return try loader.run()
        }
    }
}
