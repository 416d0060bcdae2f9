// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Key paths of key-value coding, with collection operators.
@Suite struct KeyPathTests {
    private let stack: Stack
    private let sales: NSManagedObject
    private let empty: NSManagedObject

    init() throws {
        let person = Build.entity(
            "Person",
            [
                Build.attribute("name"), Build.attribute("age", .integer32AttributeType),
                Build.attribute("pay", .decimalAttributeType),
                Build.attribute("size", .doubleAttributeType),
                Build.attribute("born", .dateAttributeType),
            ])
        let department = Build.entity("Department", [Build.attribute("name")])
        let tag = Build.entity("Tag", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("department", of: person, to: department, max: 1),
            Build.relationship("people", of: department, to: person, max: 0))
        Build.inverse(
            Build.relationship("tags", of: person, to: tag, max: 0),
            Build.relationship("people", of: tag, to: person, max: 0))
        stack = try Stack(Build.model(person, department, tag))
        let context = stack.context
        sales = context.make("Department", ["name": "Sales"])
        empty = context.make("Department", ["name": "Empty"])
        let tags = ["x", "y"].map { context.make("Tag", ["name": $0]) }
        context.make(
            "Person",
            [
                "name": "Ann", "age": 30, "pay": Decimal(string: "10.10")!, "size": 1.5,
                "born": Date(timeIntervalSince1970: 1), "department": sales, "tags": Set(tags),
            ])
        context.make(
            "Person",
            [
                "name": "Bob", "age": 40, "pay": Decimal(string: "0.20")!, "size": 2.0,
                "born": Date(timeIntervalSince1970: 9), "department": sales,
                "tags": Set([tags[1]]),
            ])
        context.make("Person", ["name": "Ann", "department": sales])
    }

    private func ann() throws -> NSManagedObject {
        try #require(try stack.context.all("Person", NSPredicate(format: "age == 30")).first)
    }

    private func strings(_ value: Any?) -> [String] {
        ((value as? [Any]) ?? []).compactMap { $0 as? String }.sorted()
    }

    @Test func paths_lead_through_relationships() throws {
        let ann = try ann()
        #expect(ann.value(forKeyPath: "name") as? String == "Ann")
        #expect(ann.value(forKeyPath: "department.name") as? String == "Sales")
        #expect(ann.value(forKeyPath: "department.name.length") as? Int == 5)
        #expect(ann.value(forKeyPath: "self.department.self.name") as? String == "Sales")
        ann.setValue(nil, forKey: "department")
        #expect(ann.value(forKeyPath: "department.name") == nil)
    }

    @Test func to_many_relationships_have_the_values_of_their_members() throws {
        #expect(sales.value(forKeyPath: "people.name") as? Set<String> == ["Ann", "Bob"])
        #expect(sales.value(forKeyPath: "people.age") as? Set<Int> == [30, 40])
        let back = sales.value(forKeyPath: "people.department")
        #expect(back as? Set<NSManagedObject> == [sales])
        let nested = sales.value(forKeyPath: "people.tags.name") as? Set<AnyHashable>
        #expect(
            nested == [
                ["x", "y"] as Set<AnyHashable>, ["y"] as Set<AnyHashable>, [] as Set<AnyHashable>,
            ])
        #expect((empty.value(forKeyPath: "people.name") as? Set<AnyHashable>)?.isEmpty == true)
    }

    @Test func counts_and_sums() {
        #expect(sales.value(forKeyPath: "people.@count") as? Int == 3)
        #expect(sales.value(forKeyPath: "people.@sum.age") as? Int == 70)
        #expect(sales.value(forKeyPath: "people.@sum.age") as? Double == 70)
        #expect(sales.value(forKeyPath: "people.@sum.size") as? Double == 3.5)
        #expect(
            sales.value(forKeyPath: "people.@sum.pay") as? NSDecimalNumber
                == NSDecimalNumber(string: "10.30"))
        #expect(sales.value(forKeyPath: "people.@avg.age") as? Double == 35)
        #expect(sales.value(forKeyPath: "people.@min.age") as? Int == 30)
        #expect(sales.value(forKeyPath: "people.@max.age") as? Int == 40)
        #expect(
            sales.value(forKeyPath: "people.@max.born") as? Date == Date(timeIntervalSince1970: 9))
        #expect(sales.value(forKeyPath: "people.@min.name") as? String == "Ann")
        #expect(sales.value(forKeyPath: "people.@max.tags.@count") as? Int == 2)
    }

    @Test func operators_on_nothing() {
        #expect(empty.value(forKeyPath: "people.@count") as? Int == 0)
        #expect(empty.value(forKeyPath: "people.@sum.age") as? Int == 0)
        #expect(empty.value(forKeyPath: "people.@avg.age") as? Int == 0)
        #expect(empty.value(forKeyPath: "people.@min.age") == nil)
        #expect(empty.value(forKeyPath: "people.@max.age") == nil)
        #expect(strings(empty.value(forKeyPath: "people.@unionOfObjects.name")) == [])
    }

    @Test func unions() {
        #expect(
            strings(sales.value(forKeyPath: "people.@unionOfObjects.name")) == [
                "Ann", "Ann", "Bob",
            ])
        #expect(
            strings(sales.value(forKeyPath: "people.@distinctUnionOfObjects.name"))
                == ["Ann", "Bob"])
        #expect(
            strings(sales.value(forKeyPath: "people.@unionOfArrays.tags.name"))
                == ["x", "y", "y"])
        #expect(
            strings(sales.value(forKeyPath: "people.@distinctUnionOfArrays.tags.name"))
                == ["x", "y"])
        let tags = sales.value(forKeyPath: "people.@distinctUnionOfSets.tags")
        #expect((tags as? Set<NSManagedObject>)?.count == 2)
        #expect(
            sales.value(forKeyPath: "people.@distinctUnionOfSets.tags.name") as? Set<String>
                == ["x", "y"])
    }

    @Test func setting_by_path() throws {
        let ann = try ann()
        ann.setValue("Trade", forKeyPath: "department.name")
        #expect(sales.text("name") == "Trade")
        sales.setValue(7, forKeyPath: "people.age")
        #expect(sales.value(forKeyPath: "people.age") as? Set<Int> == [7])
        empty.setValue(7, forKeyPath: "people.age")
        ann.setValue(nil, forKey: "department")
        ann.setValue("none", forKeyPath: "department.name")
        #expect(sales.text("name") == "Trade")
    }

    @Test func members_of_members_are_sets_in_a_set() throws {
        let tags = sales.value(forKeyPath: "people.tags") as? Set<AnyHashable>
        #expect(tags?.count == 3)
        #expect(sales.value(forKeyPath: "people.tags.@count") as? Int == 3)
        #expect(sales.value(forKeyPath: "people.tags.name.@count") as? Int == 3)
        #expect((empty.value(forKeyPath: "people.tags.name") as? Set<AnyHashable>)?.isEmpty == true)
    }

    @Test func dictionaries_of_values() throws {
        let ann = try ann()
        let values = ann.dictionaryWithValues(forKeys: ["name", "age"])
        #expect(values["name"] as? String == "Ann" && values["age"] as? Int == 30)
        let other = stack.context.make("Person", ["age": 1, "size": 2.5])
        #expect(other.dictionaryWithValues(forKeys: ["name"])["name"] is NSNull)
        other.setValuesForKeys(["name": "Zoe", "age": NSNull(), "size": 3])
        #expect(other.text("name") == "Zoe" && other.value(forKey: "age") == nil)
        #expect(other["size"] as? Double == 3)
        other["size"] = nil
        #expect(other["size"] == nil)
    }

    @Test func keys_that_every_object_has() throws {
        let ann = try ann()
        #expect(ann.value(forKey: "objectID") as? NSManagedObjectID == ann.objectID)
        #expect(ann.value(forKeyPath: "entity") as? NSEntityDescription === ann.entity)
        #expect(ann.value(forKey: "isInserted") as? Bool == true)
        #expect(ann.value(forKey: "isDeleted") as? Bool == false)
    }
}
