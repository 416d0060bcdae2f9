// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The films by episode, written anew whenever one of them comes, goes or changes.
///
/// Used on the view context's queue, as the objects in it are.
public final class FilmList: NSObject {
    private let write: (String) -> Void
    private var controller: NSFetchedResultsController<Film>?
    private var changes: [String] = []

    /// Makes a list; nothing is fetched yet.
    ///
    /// - Parameters:
    ///   - stack: Whose films it shows.
    ///   - write: Gets the text: what changed, a line each, then the list.
    public init(stack: CoreDataStack, write: @escaping (String) -> Void) {
        self.write = write
        let request = NSFetchRequest<Film>(entityName: "Film")
        request.sortDescriptors = [NSSortDescriptor(key: "episode", ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.container.viewContext,
            sectionNameKeyPath: nil, cacheName: nil)
    }

    /// Fetches the films, writes them and follows them from now on.
    public func start() throws {
        controller?.delegate = self
        try controller?.performFetch()
        write(text)
    }

    /// Lets go of the films.
    public func stop() { controller = nil }

    /// The list, one line a film.
    public var text: String {
        let films = controller?.fetchedObjects ?? []
        guard !films.isEmpty else { return "no films" }
        return films.map { film in
            let year = film.releaseDate.formatted(FilmRecord.dates).prefix(4)
            return "\(film.episode)  \(film.title) (\(film.director), \(year))"
        }.joined(separator: "\n")
    }
}

extension FilmList: NSFetchedResultsControllerDelegate {
    /// Begins with a new list of changes.
    public func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        changes = []
    }

    /// Notes a change.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        // A deleted film has no values any more: its place tells which one it was.
        let film = anObject as? Film
        switch type {
        case .insert: changes.append("+ \(newIndexPath?.row ?? 0) \(film?.title ?? "")")
        case .delete: changes.append("- \(indexPath?.row ?? 0)")
        case .move: changes.append("> \(newIndexPath?.row ?? 0) \(film?.title ?? "")")
        case .update: changes.append("* \(indexPath?.row ?? 0) \(film?.title ?? "")")
        }
    }

    /// Writes the changes and the list.
    public func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        write((changes + [text]).joined(separator: "\n"))
    }
}
