// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Brings the store up to date with the server, in the background.
public struct DataProvider: Sendable {
    private let container: NSPersistentContainer
    private let repository: ApiRepository

    /// Makes a provider; nothing is asked yet.
    public init(stack: CoreDataStack, repository: ApiRepository) {
        container = stack.container
        self.repository = repository
    }

    /// Asks the server and writes what differs; the view context follows.
    ///
    /// A film of which the server has other values is replaced. Films that the server does not
    /// list stay. Nothing is touched before the whole answer has been read.
    ///
    /// - Returns: How many films were written.
    /// - Throws: What the repository throws, and what the store throws.
    @discardableResult
    public func sync() async throws -> Int {
        let records = try await repository.films()
        let context = container.newBackgroundContext()
        // Another sync may have written an episode in between: the newer answer wins.
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        return try await context.perform { try write(records, in: context) }
    }

    private func write(_ records: [FilmRecord], in context: NSManagedObjectContext) throws -> Int {
        var wanted = Dictionary(uniqueKeysWithValues: records.map { ($0.episode, $0) })
        var outdated: [NSManagedObjectID] = []
        for id in try identifiers(of: wanted.keys.sorted(), in: context) {
            guard let film = try context.existingObject(with: id) as? Film else { continue }
            if film.record == wanted[film.episode] {
                wanted[film.episode] = nil
            } else {
                outdated.append(id)
            }
        }
        try delete(outdated, in: context)
        for (_, record) in wanted { Film(context: context).update(with: record) }
        if context.hasChanges { try context.save() }
        return wanted.count
    }

    /// The films of some episodes, as IDs: no object is made.
    private func identifiers(
        of episodes: [Int16], in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Film")
        request.predicate = NSPredicate(format: "episode IN %@", episodes)
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request)
    }

    /// Deletes films in the store; no context hears of it, so the view context is told.
    private func delete(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) throws {
        guard !ids.isEmpty else { return }
        let request = NSBatchDeleteRequest(objectIDs: ids)
        request.resultType = .resultTypeObjectIDs
        let result = try context.execute(request) as? NSBatchDeleteResult
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: result?.result ?? []],
            into: [container.viewContext])
    }
}
