// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// Stores to import into that are not as an import makes them.
@Suite struct ExistingStoreTests {
    private func history(_ place: Workplace) throws -> [NSPersistentHistoryTransaction] {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel.stored(at: place.store))
        let store = try coordinator.addPersistentStore(
            ofType: LodeStoreType, configurationName: nil, at: place.store,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let all = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(all) as? NSPersistentHistoryResult
            return try #require(result?.result as? [NSPersistentHistoryTransaction])
        }
    }

    @Test(arguments: [false, true]) func theHistoryHasWhatIsImported(isStrict: Bool) throws {
        try withWorkplace { place throws in
            _ = try place.load(["A.csv": "id,x\n1,5\n"])
            #expect(try history(place).isEmpty)
            let report = try place.load(["A.csv": "id,x\n1,6\n2,7\n"], isStrict: isStrict)
            #expect(report.counts == ["A 1/1/0/0"])
            let transactions = try history(place)
            #expect(
                transactions.map { $0.changes?.map(\.changeType) ?? [] } == [[.update, .insert]])
        }
    }

    @Test func aLinkThatLeadsNowhereIsRefused() throws {
        try withWorkplace { place throws in
            try FileManager.default.createSymbolicLink(
                atPath: place.store.path, withDestinationPath: place.folder + "/nothing")
            let error = #expect(throws: ImportError.self) {
                _ = try place.load(["A.csv": "id\n1\n"])
            }
            #expect(error?.message.hasPrefix("this symbolic link leads to no file") == true)
        }
    }

    @Test func aFileThatIsMadeDuringAnImportStays() throws {
        try withWorkplace { place throws in
            let other = Data("made by others".utf8)
            let error = #expect(throws: ImportError.self) {
                _ = try place.load(["A.csv": "id\n1\n"]) { progress in
                    if progress.phase == .objects { try? other.write(to: place.store) }
                }
            }
            #expect(
                error?.message.hasPrefix("a file of this name was made during the import") == true)
            #expect(try place.storeBytes() == other)
            #expect(try place.leftovers() == ["library.lode"])
        }
    }
}
