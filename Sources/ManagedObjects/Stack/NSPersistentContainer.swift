// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A model, a coordinator, a store and a context for the main queue, set up together.
///
/// ```swift
/// let container = NSPersistentContainer(name: "League", managedObjectModel: model)
/// container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
/// container.loadPersistentStores { description, error in
///     if let error { print("\(description.url?.path ?? ""): \(error)") }
/// }
/// let context = container.newBackgroundContext()
/// ```
// SAFETY: all but the descriptions is set once, and the program uses the context on its queue only.
// It also sets the descriptions up on one thread before it loads them. A subclass answers for its
// own state.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The container's name, and the base name of its file.
    public let name: String
    /// The model.
    public let managedObjectModel: NSManagedObjectModel
    /// The coordinator.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The context for the main queue, directly on the coordinator.
    public let viewContext: NSManagedObjectContext
    /// What ``loadPersistentStores(completionHandler:)`` loads: one file at first.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get {
            if let descriptions { return descriptions }
            let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).lode")
            let made = [NSPersistentStoreDescription(url: url)]
            descriptions = made
            return made
        }
        set { descriptions = newValue }
    }
    // Made when asked for: finding the default directory takes longer than opening a store.
    private var descriptions: [NSPersistentStoreDescription]?

    /// Makes a container without a loaded store.
    ///
    /// Its description names `<name>.lode` in ``defaultDirectoryURL()``.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
        super.init()
    }

    /// The directory of default stores: `XDG_DATA_HOME`, or `.local/share` in the home directory.
    open class func defaultDirectoryURL() -> URL {
        if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], !path.isEmpty {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return FileManager.default.homeDirectoryForCurrentUser
            .appendingPathComponent(".local/share", isDirectory: true)
    }

    /// Loads every description that is not loaded yet.
    ///
    /// The handler runs once a description, with an error if its store could not be opened, before
    /// this returns, unless the description asks for asynchronous loading.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions where !isLoaded(description) {
            guard description.shouldAddStoreAsynchronously else {
                persistentStoreCoordinator.addPersistentStore(
                    with: description, completionHandler: block)
                continue
            }
            // SAFETY: any thread may use a coordinator. The program leaves the description and what
            // its block captures alone until the block has run.
            let job = UncheckedTransfer((persistentStoreCoordinator, description, block))
            persistentStoreCoordinator.perform {
                job.value.0.addPersistentStore(
                    with: job.value.1, completionHandler: job.value.2)
            }
        }
    }

    private func isLoaded(_ description: NSPersistentStoreDescription) -> Bool {
        guard !persistentStoreCoordinator.persistentStores.isEmpty, let url = description.url,
            url.filePath != "/dev/null"
        else { return false }
        return persistentStoreCoordinator.persistentStore(for: url) != nil
    }

    /// Makes a context with a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new context on that context's queue.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new context on that context's queue and returns its result.
    ///
    /// - Parameters:
    ///   - isolation: The caller's actor; leave it out.
    ///   - block: The work; what it returns must not be an object of the context.
    open func performBackgroundTask<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping (NSManagedObjectContext) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let context = newBackgroundContext()
        return try await context.perform(isolation: isolation) { () throws(Failure) in
            try block(context)
        }
    }
}
