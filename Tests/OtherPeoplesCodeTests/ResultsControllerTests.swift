// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

final class AuthorListModel: NSObject {
    let context: NSManagedObjectContext
    private(set) var events: [String] = []
    var onChange: (() -> Void)?

    lazy var fetchedResultsController: NSFetchedResultsController<Author> = {
        let request: NSFetchRequest<Author> = Author.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "statusValue", ascending: true),
            NSSortDescriptor(key: "name", ascending: true),
        ]
        request.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: "statusValue", cacheName: nil)
        controller.delegate = self
        do {
            try controller.performFetch()
        } catch let error as NSError {
            events.append("\(error), \(error.userInfo)")
        }
        return controller
    }()

    init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
    }

    func numberOfRows(in section: Int) -> Int {
        fetchedResultsController.sections?[section].numberOfObjects ?? 0
    }

    func title(at indexPath: IndexPath) -> String {
        fetchedResultsController.object(at: indexPath).name ?? ""
    }
}

extension AuthorListModel: NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        events.append("begin")
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert: events.append("insert \(newIndexPath!.section).\(newIndexPath!.row)")
        case .delete: events.append("delete \(indexPath!.section).\(indexPath!.row)")
        case .move: events.append("move")
        case .update: events.append("update")
        @unknown default: break
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        events.append("section \(sectionInfo.name)")
    }

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        events.append("end")
        onChange?()
    }
}

@Suite struct ResultsControllerTests {
    @Test func lists_authors() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let list = AuthorListModel(context: context)
        #expect(list.fetchedResultsController.fetchedObjects == [])
        let author = Author(context: context)
        author.name = "Ann"
        try context.save()
        #expect(list.events == ["begin", "section 0", "insert 0.0", "end"])
        #expect(list.numberOfRows(in: 0) == 1)
        #expect(list.title(at: IndexPath(row: 0, section: 0)) == "Ann")
        context.delete(author)
        try context.save()
        #expect(list.events.suffix(4) == ["begin", "section 0", "delete 0.0", "end"])
    }
}
