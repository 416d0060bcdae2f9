// SPDX-License-Identifier: Apache-2.0

import Store
import Testing

@testable import ManagedObjects

/// What an object of a fetch knows of the records of the others.
@Suite(.inBothPlaces) struct FetchedRecordTests {
    @Test(arguments: [nil, "number > 0"]) func an_object_leads_to_a_later_record(
        format: String?
    ) throws {
        let stack = try Stack(ItemModel.make())
        for number in 1...20 {
            stack.context.make("Item", ["name": "a name of some length", "number": number])
        }
        try stack.context.save()
        let reader = stack.container.newBackgroundContext()
        try reader.performAndWait {
            let objects = try reader.all("Item", format.map { NSPredicate(format: $0) })
            let records = try objects.map { try #require($0.record) }
            #expect(RecordAhead.distance == 8)
            for index in 0..<12 {
                let ahead = RecordAhead(from: records[index], to: records[index + 8])
                #expect(ahead != RecordAhead())
                #expect(objects[index].recordAhead == ahead)
            }
            #expect(objects[12...].allSatisfy { $0.recordAhead == RecordAhead() })
            #expect(objects.map { $0.number("number") }.sorted() == Array(1...20))
        }
    }
}
