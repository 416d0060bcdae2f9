// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing
import _TestSupport

import struct Foundation.Decimal

/// Decimal numbers of all lengths and powers of ten, also such as arithmetic leaves behind.
@Suite struct DecimalRoundTripTests {
    private func model() -> NSManagedObjectModel {
        Build.model(
            Build.entity(
                "Item",
                [
                    Build.attribute("number", .integer64AttributeType),
                    Build.attribute("price", .decimalAttributeType),
                ]))
    }

    private func random(_ generator: inout SeededGenerator) -> Decimal? {
        let count = Int.random(in: 1...38, using: &generator)
        let digits = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &generator))" }
        let sign = Bool.random(using: &generator) ? "-" : ""
        let power = Int.random(in: -90...60, using: &generator)
        return Decimal(string: "\(sign)\(digits.joined())e\(power)")
    }

    /// Else numbers go by way of text, right but slow.
    @Test func lie_in_memory_as_expected() { #expect(DecimalLayout.isKnown) }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func come_back_as_they_were(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // Its zeros are not stored, and no power of ten has room for them.
        let large = try #require(Decimal(string: "12300e127"))
        var numbers: [Decimal] = [
            0, 1, -1, 10, 65_536, .leastNormalMagnitude, .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, Decimal(Int64.min), Decimal(UInt64.max),
            large, -large,
        ]
        for _ in 0..<300 {
            guard let one = random(&generator), let other = random(&generator) else { continue }
            numbers += [one, one / 3, one * 7, one + other, one - one, one / 1024]
        }
        numbers.removeAll { $0.isNaN }
        #expect(numbers.count > 1_500)
        let stack = try Stack(model())
        for (place, number) in numbers.enumerated() {
            stack.context.make("Item", ["number": place, "price": number])
        }
        try stack.context.save()
        try stack.reopenChecked()
        let reader = stack.context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let found = try reader.fetch(request).map { $0.value(forKey: "price") as? Decimal }
        #expect(found == numbers)
        #expect(found.map { $0.map { "\($0)" } } == numbers.map { "\($0)" })
        request.sortDescriptors = [NSSortDescriptor(key: "price", ascending: true)]
        let sorted = try reader.fetch(request).compactMap { $0.value(forKey: "price") as? Decimal }
        #expect(sorted == numbers.sorted())
        for number in numbers.prefix(200) {
            request.predicate = NSPredicate(format: "price == %@", argumentArray: [number])
            #expect(try reader.count(for: request) == numbers.filter { $0 == number }.count)
        }
    }
}
