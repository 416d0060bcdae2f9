// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// Refuses some titles, with an error of its own for one of them.
final class PickyTrack: NSManagedObject {
    struct TooLoud: Error {}

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
        if value as? String == "loud" { throw TooLoud() }
        if value as? String == "long" {
            throw CocoaError(
                .validationStringTooLong, userInfo: [NSLocalizedDescriptionKey: "it is too long"])
        }
    }
}

/// Lets others save while it is saved, once.
final class MeetingTrack: NSManagedObject {
    // Set and called by one test, on its thread.
    nonisolated(unsafe) static var meet: (() -> Void)?

    override func willSave() {
        super.willSave()
        let meet = Self.meet
        Self.meet = nil
        meet?()
    }
}

/// Rows that look well, but whose objects the save refuses.
@Suite struct LoaderRefusalTests {
    private func prepare(
        _ place: Workplace, _ files: [String: String],
        _ change: (NSManagedObjectModel) -> Void,
        _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        _ = try place.load(files)
        try place.remakeStore(change, fill)
    }

    @Test(arguments: [1, 2, 10_000]) func severalUniqueAttributes(batchSize: Int) throws {
        let text = "id,given,family\n1,a,b\n2,a,c\n3,a,b\n4,,b\n5,,b\n6,d,b\n"
        try withWorkplace { place throws in
            try prepare(place, ["A.csv": text]) {
                $0.entitiesByName["A"]?.uniquenessConstraints = [["id"], ["given", "family"]]
            }
            let report = try place.load(["A.csv": text], batchSize: batchSize)
            #expect(report.counts == ["A 5/0/0/1"])
            let reason = "A.csv:4 A 3: given \"a\" with family \"b\" belongs to another A already"
            #expect(report.reasons == [reason])
            // A row that changes an object into another's values is refused, too.
            let again = try place.load(
                ["A.csv": "id,given,family\n2,a,e\n6,a,b\n"], batchSize: batchSize)
            #expect(again.counts == ["A 0/1/0/1"])
            try place.expect([
                "A id=1 given=a family=b", "A id=2 given=a family=e", "A id=4 given=nil family=b",
                "A id=5 given=nil family=b", "A id=6 given=d family=b",
            ])
        }
    }

    @Test(arguments: [1, 10_000]) func aKeyOfAnEntityAbove(batchSize: Int) throws {
        try withWorkplace { place throws in
            try prepare(place, ["Work.csv": "id,x\n1,5\n"]) { model in
                let novel = NSEntityDescription()
                novel.name = "Novel"
                model.entitiesByName["Work"]?.subentities = [novel]
                model.entities.append(novel)
            } _: { context in
                let work = NSEntityDescription.insertNewObject(
                    forEntityName: "Work", into: context)
                work.setValuesForKeys(["id": 1, "x": 5])
            }
            let report = try place.load(
                ["Novel.csv": "id,x\n2,6\n1,7\n3,8\n"], batchSize: batchSize)
            #expect(report.counts == ["Novel 2/0/0/1"])
            #expect(
                report.reasons == ["Novel.csv:3 Novel 2: id 1 belongs to another Work already"])
        }
    }

    @Test(arguments: [1, 10_000]) func rulesOfAClass(batchSize: Int) throws {
        let text = "id,title,next\n1,a,2\n2,loud,1\n3,long,\n4,b,1\n5,c,3\n"
        let mapping = #"{"entities": {"T": {"relationships": {"next": {"destination": "T"}}}}}"#
        try withWorkplace { place throws in
            _ = try place.load(["T.csv": text], mapping: mapping)
            try place.remakeStore {
                $0.entitiesByName["T"]?.managedObjectClassName =
                    NSStringFromClass(PickyTrack.self)
            }
            let report = try place.load(["T.csv": text], mapping: mapping, batchSize: batchSize)
            #expect(report.counts == ["T 3/0/0/2"])
            #expect(
                report.reasons == [
                    "T.csv:3 T 2: TooLoud()", "T.csv:4 T 3: it is too long",
                    "T.csv:2 T 1: next 2 leads to no T; imported without it",
                    "T.csv:6 T 5: next 3 leads to no T; imported without it",
                ])
            #expect {
                _ = try place.load(
                    ["T.csv": "id,title,next\n6,d,\n1,loud,\n"], mapping: mapping,
                    isStrict: true, batchSize: batchSize)
            } throws: {
                ($0 as? ImportError)?.code == .strictRejection
            }
            try place.expect([
                "T id=1 title=a next=nil ts=[4]", "T id=4 title=b next=1 ts=[]",
                "T id=5 title=c next=nil ts=[]",
            ])
        }
    }

    @Test func whatOthersSaveMeanwhile() throws {
        try withWorkplace { place throws in
            try prepare(place, ["M.csv": "id,x,y\n1,5,1\n"]) {
                $0.entitiesByName["M"]?.managedObjectClassName =
                    NSStringFromClass(MeetingTrack.self)
            }
            _ = try place.load(["M.csv": "id,x,y\n1,5,1\n"])
            MeetingTrack.meet = {
                let changed = try? place.change(["x": 9, "y": 2], ["id": 2, "x": 7, "y": 3])
                #expect(changed == 1)
            }
            let report = try place.load(["M.csv": "id,x,y\n1,6,1\n2,7,3\n3,8,4\n"])
            #expect(MeetingTrack.meet == nil)
            #expect(report.counts == ["M 1/1/1/0"])
            #expect(report.reasons == [])
            try place.expect(["M id=1 x=6 y=1", "M id=2 x=7 y=3", "M id=3 x=8 y=4"])
        }
    }
}

extension Workplace {
    /// Changes all objects of entity M and inserts one; returns how many it has changed.
    fileprivate func change(_ values: [String: Any], _ new: [String: Any]) throws -> Int {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel.stored(at: store))
        try coordinator.addPersistentStore(type: .sqlite, at: store)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "M"))
            for object in objects { object.setValuesForKeys(values) }
            NSEntityDescription.insertNewObject(forEntityName: "M", into: context)
                .setValuesForKeys(new)
            try context.save()
            return objects.count
        }
    }
}
