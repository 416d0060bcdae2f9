// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode
import Testing

/// A thing of a program that brings its own classes instead of the library's.
final class OwnThing: NSManagedObject {
    @Managed var name: String?
    @Managed var parts: Set<OwnPart>
}

/// A part of a thing that points to its data by a URI.
final class OwnPart: NSManagedObject {
    @Managed var representation: URL?
    @Managed var thing: OwnThing?

    /// Finds the part of an object ID as a program does that knows of predicates only.
    static func fetch(
        managedObjectID: NSManagedObjectID, moc: NSManagedObjectContext
    ) throws -> OwnPart? {
        let request = NSFetchRequest<OwnPart>(entityName: "OwnPart")
        request.predicate = NSPredicate(
            format: "representation.absoluteString MATCHES %@",
            managedObjectID.uriRepresentation().absoluteString)
        return try moc.fetch(request).first
    }

    func fetchData<Data: NSManagedObject>() -> Data? {
        guard let moc = managedObjectContext, let representation,
            let id = moc.persistentStoreCoordinator?
                .managedObjectID(forURIRepresentation: representation)
        else { return nil }
        return try? moc.existingObject(with: id) as? Data
    }
}

final class OwnStat: NSManagedObject {
    @Managed var value: Int32
}

/// Code that keeps object URIs in an attribute, and asks for them by their text.
@Suite struct TutorialComponentTests {
    private let container: NSPersistentContainer
    private var moc: NSManagedObjectContext { container.viewContext }

    init() throws {
        let thing = NSEntityDescription(name: "OwnThing", managedObjectClass: OwnThing.self)
        let part = NSEntityDescription(name: "OwnPart", managedObjectClass: OwnPart.self)
        let parts = NSRelationshipDescription(name: "parts", destination: part)
        thing.properties = [NSAttributeDescription(name: "name", type: .string), parts]
        part.properties = [
            NSAttributeDescription(name: "representation", type: .uri),
            NSRelationshipDescription(
                name: "thing", destination: thing, maxCount: 1, inverse: parts),
        ]
        let stat = NSEntityDescription(
            name: "OwnStat", managedObjectClass: OwnStat.self,
            properties: [NSAttributeDescription(name: "value", type: .integer32)])
        container = NSPersistentContainer(
            name: "Things", managedObjectModel: NSManagedObjectModel(entities: [thing, part, stat]))
        let description = NSPersistentStoreDescription(
            url: FileManager.default.temporaryDirectory
                .appendingPathComponent("LodeTests-\(UUID().uuidString)")
                .appendingPathComponent("things.lode"))
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    private func make(_ value: Int32) throws -> (OwnStat, OwnPart) {
        let stat = OwnStat(context: moc)
        stat.value = value
        try moc.obtainPermanentIDs(for: [stat])
        let part = OwnPart(context: moc)
        part.representation = stat.objectID.uriRepresentation()
        return (stat, part)
    }

    @Test func a_part_is_found_by_the_text_of_its_uri() throws {
        let (first, part) = try make(1)
        let (second, other) = try make(12)
        for step in 0..<2 {
            #expect(
                try OwnPart.fetch(managedObjectID: first.objectID, moc: moc) === part,
                "step \(step)")
            #expect(
                try OwnPart.fetch(managedObjectID: second.objectID, moc: moc) === other,
                "step \(step)")
            let data: OwnStat? = other.fetchData()
            #expect(data === second && data?.value == 12, "step \(step)")
            try moc.save()
        }
        moc.delete(part)
        #expect(try OwnPart.fetch(managedObjectID: first.objectID, moc: moc) == nil)
    }

    @Test(arguments: [
        ("representation.absoluteString ENDSWITH '/p1'", 1),
        ("representation.absoluteString CONTAINS '/OwnStat/'", 2),
        ("representation.absoluteString MATCHES '.*/p[0-9]+'", 2),
        ("representation.absoluteString LIKE[c] 'X-COREDATA:*'", 2),
        ("NOT representation.absoluteString MATCHES '.*/p1'", 2),
        ("representation.absoluteString == nil", 1),
        ("representation.absoluteString.length > 10", 2),
        ("ANY thing.parts.representation.absoluteString ENDSWITH '/p2'", 0),
    ])
    func the_text_of_a_uri_in_predicates(format: String, count: Int) throws {
        _ = (try make(1), try make(2), OwnPart(context: moc))
        let request = NSFetchRequest<OwnPart>(entityName: "OwnPart")
        request.predicate = NSPredicate(format: format)
        let parts = try moc.fetch(request)
        #expect(parts.count == count)
        try moc.save()
        #expect(try moc.count(for: request) == count)
        #expect(
            try moc.fetch(NSFetchRequest<OwnPart>(entityName: "OwnPart"))
                .filter { request.predicate?.evaluate(with: $0) == true }.count == count)
    }

    @Test func only_uris_have_a_text_of_their_own() throws {
        let request = NSFetchRequest<OwnThing>(entityName: "OwnThing")
        request.predicate = NSPredicate(format: "name.absoluteString == 'x'")
        let error = #expect(throws: CocoaError.self) { try moc.fetch(request) }
        #expect(error?.errorCode == 134070)
    }
}
