// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// What operations by key-value coding, and on many changed objects at once, need.
///
/// Each was once tens of times as slow, or grew with the square of the objects, while no benchmark
/// walked it.
struct NoteCounts {
    private static let noteCount = 2_000
    private static let tagCount = 50

    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext

    /// Makes a file.
    init(path: String) throws {
        container = try NSPersistentContainer(Self.makeModel(), at: path)
        context = container.newBackgroundContext()
    }

    private static func makeModel() -> NSManagedObjectModel {
        let tag = NSEntityDescription(
            name: "Tag", properties: [NSAttributeDescription(name: "name", type: .string)])
        let words = NSAttributeDescription(name: "words", type: .transformable)
        words.valueTransformerName = "NSSecureUnarchiveFromData"
        let note = NSEntityDescription(
            name: "Note",
            properties: [
                NSAttributeDescription(name: "title", type: .string),
                NSAttributeDescription(name: "rating", type: .double), words,
            ])
        let notes = NSRelationshipDescription(name: "notes", destination: note)
        tag.properties.append(notes)
        note.properties.append(
            NSRelationshipDescription(name: "tags", destination: tag, inverse: notes))
        let parts = NSRelationshipDescription(name: "parts", destination: note)
        parts.isOrdered = true
        note.properties.append(parts)
        note.properties.append(
            NSRelationshipDescription(
                name: "whole", destination: note, maxCount: 1, inverse: parts))
        return NSManagedObjectModel(entities: [tag, note])
    }

    /// Counts everything, and closes the file.
    func measure(_ counting: inout Counting) throws {
        try context.performAndWait {
            let notes = try fill(&counting)
            try readValues(notes, &counting)
            try takeBack(notes, &counting)
            try findListed(notes, &counting)
            try find(notes, &counting)
            try reorder(notes, &counting)
            context.reset()
        }
        try container.close()
    }

    private func make(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    private func fill(_ counting: inout Counting) throws -> [NSManagedObject] {
        let tags = (0..<Self.tagCount).map { number in
            let tag = make("Tag")
            tag.setValue("tag \(number)", forKey: "name")
            return tag
        }
        var random = SeededGenerator(seed: 0x5EED)
        let notes = (0..<Self.noteCount).map { number in
            let note = make("Note")
            note.setValue("Note \(random.next() % 10_000) of \(number)", forKey: "title")
            note.setValue(Double(random.next() % 50) / 10, forKey: "rating")
            return note
        }
        let words: [Any] = notes.indices.map { ["one", "two", "\($0)"] }
        try counting.count("set a list of texts", notes.count) {
            for (note, words) in zip(notes, words) { note.setValue(words, forKey: "words") }
        }
        let sets = notes.indices.map { Set([tags[$0 % 50], tags[($0 + 7) % 50]]) }
        try counting.count("set two members by key", notes.count) {
            for (note, set) in zip(notes, sets) { note.setValue(set, forKey: "tags") }
        }
        try context.save()
        return notes
    }

    private func readValues(_ notes: [NSManagedObject], _ counting: inout Counting) throws {
        context.refreshAllObjects()
        for note in notes { _ = note.value(forKey: "title") }
        try counting.count("read a list of texts", notes.count) {
            for note in notes where (note.value(forKey: "words") as? [String])?.count != 3 {
                throw BenchmarkError("\(note) has other words")
            }
        }
        let uris = notes.map { $0.objectID.uriRepresentation() }
        let coordinator = container.persistentStoreCoordinator
        try counting.count("ID of a URI", notes.count) {
            for uri in uris where coordinator.managedObjectID(forURIRepresentation: uri) == nil {
                throw BenchmarkError("\(uri) names no object")
            }
        }
    }

    /// Deletes all, and takes that back one by one, and by undo.
    private func takeBack(_ notes: [NSManagedObject], _ counting: inout Counting) throws {
        for note in notes { context.delete(note) }
        context.processPendingChanges()
        try counting.count("insert a deleted object", notes.count) {
            for note in notes { context.insert(note) }
            context.processPendingChanges()
        }
        context.rollback()
        let undoManager = UndoManager()
        context.undoManager = undoManager
        for note in notes { context.delete(note) }
        context.processPendingChanges()
        try counting.count("undo a deletion", notes.count) { context.undo() }
        guard context.deletedObjects.isEmpty else {
            throw BenchmarkError("notes are still deleted")
        }
        context.undoManager = nil
        context.rollback()
    }

    /// Fetches all that a list names, and follows a path from each.
    private func findListed(_ notes: [NSManagedObject], _ counting: inout Counting) throws {
        let titles = notes.compactMap { $0.value(forKey: "title") as? String }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        func find(_ name: String, _ predicate: () -> NSPredicate) throws {
            try counting.count(name, notes.count) {
                request.predicate = predicate()
                guard try context.fetch(request).count == notes.count else {
                    throw BenchmarkError("\(name): some were not found")
                }
            }
        }
        try find("object of a list") { NSPredicate(format: "SELF IN %@", notes) }
        try find("text of a list") { NSPredicate(format: "title IN %@", titles) }
        for note in notes { note.setValue(notes[0], forKey: "whole") }
        try counting.count("read by key path", notes.count) {
            for note in notes where note.value(forKeyPath: "whole.rating") == nil {
                throw BenchmarkError("\(note) is part of nothing")
            }
        }
        context.rollback()
    }

    /// Fetches one object, while all have changes.
    private func find(_ notes: [NSManagedObject], _ counting: inout Counting) throws {
        for note in notes { note.setValue(4.5, forKey: "rating") }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.fetchLimit = 1
        request.predicate = NSPredicate(format: "rating > 4")
        for (name, key) in [("any of all changed", nil), ("first of all changed", "title")] {
            request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
            _ = try context.fetch(request)
            try counting.count(name, 10) {
                for _ in 0..<10 where try context.fetch(request).count != 1 {
                    throw BenchmarkError("no note was found")
                }
            }
        }
        context.rollback()
    }

    /// Takes members out of an ordered relationship in the order in which they came.
    private func reorder(_ notes: [NSManagedObject], _ counting: inout Counting) throws {
        let whole = make("Note")
        for note in notes { note.setValue(whole, forKey: "whole") }
        try counting.count("remove an appended member", notes.count) {
            for note in notes { note.setValue(nil, forKey: "whole") }
        }
        guard whole.mutableOrderedSetValue(forKey: "parts").count == 0 else {
            throw BenchmarkError("members are left")
        }
        context.rollback()
    }
}
