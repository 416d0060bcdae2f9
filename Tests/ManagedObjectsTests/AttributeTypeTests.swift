// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Every attribute type keeps its values through a reopened file.
@Suite struct AttributeTypeTests {
    private func stack(_ type: NSAttributeType) throws -> Stack {
        try Stack(Build.model(Build.entity("Thing", [Build.attribute("value", type)])))
    }

    /// Saves values, reopens and returns what is read, in the order of the values.
    private func roundTrip(_ type: NSAttributeType, _ values: [Any?]) throws -> [Any?] {
        let stack = try stack(type)
        let objects = values.map { value in
            let object = stack.context.make("Thing")
            object.setValue(value, forKey: "value")
            return object
        }
        try stack.context.save()
        let uris = objects.map { $0.objectID.uriRepresentation() }
        try stack.reopen()
        return try uris.map { uri in
            let coordinator = stack.container.persistentStoreCoordinator
            let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
            return try stack.context.existingObject(with: id).value(forKey: "value")
        }
    }

    private func numbers(_ type: NSAttributeType, _ values: [Any?]) throws -> [NSNumber?] {
        try roundTrip(type, values).map { $0 as? NSNumber }
    }

    @Test func integer16() throws {
        let read = try numbers(.integer16AttributeType, [Int16.min, -1, 0, 1, Int16.max, nil])
        #expect(read.map { $0?.int16Value } == [-32768, -1, 0, 1, 32767, nil])
    }

    @Test func integer32() throws {
        let read = try numbers(.integer32AttributeType, [Int32.min, 0, Int32.max, nil])
        #expect(read.map { $0?.int32Value } == [-2_147_483_648, 0, 2_147_483_647, nil])
    }

    @Test func integer64() throws {
        let values: [Any?] = [
            Int64.min, -9_007_199_254_740_993, 0, 9_007_199_254_740_993, Int64.max, nil,
        ]
        let read = try numbers(.integer64AttributeType, values)
        #expect(
            read.map { $0?.int64Value } == [
                -9_223_372_036_854_775_808, -9_007_199_254_740_993, 0, 9_007_199_254_740_993,
                9_223_372_036_854_775_807, nil,
            ])
    }

    @Test func integer64_from_ns_number() throws {
        let values: [Any?] = [
            NSNumber(value: Int64.max), NSNumber(value: Int64.min),
            NSNumber(value: Int64(9_007_199_254_740_993)),
        ]
        let read = try numbers(.integer64AttributeType, values)
        #expect(
            read.map { $0?.int64Value } == [
                9_223_372_036_854_775_807, -9_223_372_036_854_775_808, 9_007_199_254_740_993,
            ])
    }

    @Test func double() throws {
        let values: [Any?] = [
            -0.0, 1.5, Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude,
            Double.infinity, Double.nan, 7, nil,
        ]
        let read = try numbers(.doubleAttributeType, values).map { $0?.doubleValue }
        #expect(read[0]?.sign == .minus)
        #expect(read[1] == 1.5)
        #expect(read[2] == 1.7976931348623157e308)
        #expect(read[3] == Double.leastNonzeroMagnitude)
        #expect(read[4] == .infinity)
        #expect(read[5]?.isNaN == true)
        #expect(read[6] == 7)
        #expect(read[7] == nil)
    }

    @Test func float() throws {
        let read = try numbers(.floatAttributeType, [Float(0.1), Float(-3), 2.5, nil])
        #expect(read.map { $0?.floatValue } == [0.1, -3, 2.5, nil])
    }

    @Test func boolean() throws {
        let read = try numbers(
            .booleanAttributeType, [true, false, NSNumber(value: 1), 0, nil])
        #expect(read.map { $0?.boolValue } == [true, false, true, false, nil])
    }

    @Test func string() throws {
        let long = String(repeating: "0123456789", count: 1024)
        let values: [Any?] = ["", "a", "👩‍👩‍👧‍👦 Ærøskøbing \u{0} end", long, nil]
        let read = try roundTrip(.stringAttributeType, values).map { $0 as? String }
        #expect(read == ["", "a", "👩‍👩‍👧‍👦 Ærøskøbing \u{0} end", long, nil])
    }

    @Test func date() throws {
        let values: [Any?] = [
            Date(timeIntervalSinceReferenceDate: 0),
            Date(timeIntervalSinceReferenceDate: -1.25), Date.distantFuture, Date.distantPast, nil,
        ]
        let read = try roundTrip(.dateAttributeType, values).map { $0 as? Date }
        #expect(read == values.map { $0 as? Date })
    }

    @Test func uuid() throws {
        let uuid = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let read = try roundTrip(.UUIDAttributeType, [uuid, nil]).map { $0 as? UUID }
        #expect(read == [uuid, nil])
        #expect(read[0]?.uuidString == "01234567-89AB-CDEF-0123-456789ABCDEF")
    }

    @Test func uri() throws {
        let url = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
        let read = try roundTrip(.URIAttributeType, [url, nil]).map { $0 as? URL }
        #expect(read.map { $0?.absoluteString } == ["https://example.org/a%20b?c=d#e", nil])
    }

    @Test func decimal() throws {
        let values = ["0", "-0.1", "123456789012345678901234567890.12345678", "1e-100", "3e120"]
            .map { Decimal(string: $0) }
        let read = try roundTrip(.decimalAttributeType, values + [nil])
        #expect(read.map { ($0 as? NSDecimalNumber)?.decimalValue } == values + [nil])
    }

    @Test func object_id_of_a_saved_and_of_a_new_object() throws {
        let stack = try stack(.objectIDAttributeType)
        let saved = stack.context.make("Thing")
        try stack.context.save()
        let new = stack.context.make("Thing", ["value": saved.objectID])
        let newest = stack.context.make("Thing", ["value": new.objectID])
        try stack.context.save()
        #expect(new.value(forKey: "value") as? NSManagedObjectID == saved.objectID)
        #expect(newest.value(forKey: "value") as? NSManagedObjectID == new.objectID)
    }

    @Test func object_id_taken_before_the_save_and_set_after_it() throws {
        let stack = try stack(.objectIDAttributeType)
        let first = stack.context.make("Thing")
        let temporary = first.objectID
        try stack.context.save()
        let second = stack.context.make("Thing", ["value": temporary])
        try stack.context.save()
        #expect(second.value(forKey: "value") as? NSManagedObjectID == first.objectID)
    }
}
