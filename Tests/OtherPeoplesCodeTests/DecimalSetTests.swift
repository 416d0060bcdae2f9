// SPDX-License-Identifier: Apache-2.0

import CoreData
import Foundation
import Testing

/// Decimal values in sets, groups and distinct rows, as programs about money put them.
///
/// Foundation's `NSDecimalNumber` calls itself without end when it is hashed on Linux.
@Suite struct DecimalSetTests {
    private func context() throws -> NSManagedObjectContext {
        let price = NSAttributeDescription()
        price.name = "price"
        price.attributeType = .decimalAttributeType
        let line = NSEntityDescription()
        line.name = "Line"
        line.properties = [price]
        let order = NSEntityDescription()
        order.name = "Order"
        let (lines, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (lines.name, owner.name) = ("lines", "order")
        (lines.destinationEntity, owner.destinationEntity) = (line, order)
        (lines.inverseRelationship, owner.inverseRelationship) = (owner, lines)
        owner.maxCount = 1
        line.properties.append(owner)
        order.properties = [lines]
        let model = NSManagedObjectModel()
        model.entities = [line, order]
        let context = NSPersistentContainer.inMemory(model).newBackgroundContext()
        let made = NSManagedObject(entity: order, insertInto: context)
        for text in ["1.50", "2.25", "1.5", "3"] {
            let object = NSManagedObject(entity: line, insertInto: context)
            object.setValue(NSDecimalNumber(string: text), forKey: "price")
            object.setValue(made, forKey: "order")
        }
        try context.save()
        return context
    }

    private func request(_ configure: (NSFetchRequest<NSDictionary>) -> Void) -> NSFetchRequest<
        NSDictionary
    > {
        let request = NSFetchRequest<NSDictionary>(entityName: "Line")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["price"]
        configure(request)
        return request
    }

    @Test func prices_of_an_order_are_a_set() throws {
        let context = try context()
        let order = try #require(
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Order")).first)
        let prices = order.value(forKeyPath: "lines.price") as? Set<AnyHashable>
        #expect(prices?.count == 3)
        let distinct = order.value(forKeyPath: "lines.@distinctUnionOfObjects.price")
        #expect((distinct as? [Any])?.count ?? (distinct as? Set<AnyHashable>)?.count == 3)
        #expect(order.value(forKeyPath: "lines.@sum.price") as? NSDecimalNumber == 8.25)
    }

    @Test func fetched_values_go_into_a_set() throws {
        let context = try context()
        let lines = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Line"))
        let values = Set(lines.compactMap { $0.value(forKey: "price") as? NSDecimalNumber })
        #expect(values.count == 3)
        #expect(values.map(\.doubleValue).sorted() == [1.5, 2.25, 3])
        let committed = lines.flatMap { Array($0.committedValues(forKeys: ["price"]).values) }
        #expect(NSSet(array: committed).count == 3)
    }

    @Test func rows_are_distinct_and_grouped() throws {
        let context = try context()
        let distinct = try context.fetch(request { $0.returnsDistinctResults = true })
        #expect(
            distinct.compactMap { ($0["price"] as? NSDecimalNumber)?.doubleValue }.sorted()
                == [1.5, 2.25, 3])
        let grouped = try context.fetch(request { $0.propertiesToGroupBy = ["price"] })
        #expect(grouped.count == 3)
    }
}
