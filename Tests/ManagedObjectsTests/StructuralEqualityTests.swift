// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// A predicate that decides by itself, whatever constant Foundation was told.
private final class OddPredicate: NSPredicate {
    init() { super.init(value: true) }
    required init?(coder: NSCoder) { nil }
    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool { (object as? Int ?? 0) % 2 == 1 }
}

/// Descriptions and predicates that say the same are equal; others are not.
@Suite struct StructuralEqualityTests {
    /// Whether both are equal, compared either way, with equal hashes.
    private func same(_ one: NSObject, _ other: NSObject) -> Bool {
        let isSame = one == other
        #expect((other == one) == isSame)
        if isSame {
            #expect(one.hash == other.hash)
            #expect(Set([one, other]).count == 1)
        }
        return isSame
    }

    @Test func predicates() throws {
        let one = NSPredicate(format: "name == %@ AND age > 3", "a")
        #expect(same(one, NSPredicate(format: "name=='a' && age>%d", 3)))
        #expect(!same(one, NSPredicate(format: "name == 'b' AND age > 3")))
        #expect(!same(one, NSPredicate(value: true)))
        #expect(!same(one, NSPredicate(value: false)))
        #expect(!same(NSPredicate(format: "a == 1"), NSPredicate(format: "a == 2")))
        #expect(!same(one, NSPredicate { _, _ in true }))
        #expect(
            NSCompoundPredicate(andPredicateWithSubpredicates: [one])
                .subpredicates == [NSPredicate(format: "name == 'a' AND age > 3")])
    }

    @Test func predicates_of_objects_stay_equal_when_these_are_saved() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        let bob = stack.context.make("Person", ["name": "Bob"])
        let one = NSPredicate(format: "parent == %@", ann)
        let set: Set<NSPredicate> = [one]
        #expect(same(one, NSPredicate(format: "parent == %@", ann)))
        #expect(!same(one, NSPredicate(format: "parent == %@", bob)))
        try stack.context.save()
        #expect(same(one, NSPredicate(format: "parent == %@", ann)))
        #expect(!same(one, NSPredicate(format: "parent == %@", bob)))
        #expect(set.contains(NSPredicate(format: "parent == %@", ann.objectID)))
    }

    @Test func a_foreign_predicate_is_not_taken_for_a_constant() throws {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item")
        #expect(code { _ = try stack.context.all("Item", OddPredicate()) } == 134_070)
        #expect(try stack.context.all("Item", NSPredicate(value: true)).count == 1)
        #expect(try stack.context.all("Item", NSPredicate(value: false)).count == 0)
        #expect(code { _ = try stack.context.all("Item", NSPredicate { _, _ in true }) } == 134_070)
    }

    @Test func sort_descriptors() {
        let one = NSSortDescriptor(key: "name", ascending: true)
        #expect(same(one, NSSortDescriptor(key: "name", ascending: true)))
        #expect(!same(one, NSSortDescriptor(key: "name", ascending: false)))
        #expect(!same(one, NSSortDescriptor(key: "age", ascending: true)))
        #expect(
            one.reversedSortDescriptor as? NSSortDescriptor
                == NSSortDescriptor(key: "name", ascending: false))
    }

    @Test func expressions() {
        let path = NSExpression(forKeyPath: "a.b")
        #expect(same(path, NSExpression(forKeyPath: "a.b")))
        #expect(!same(path, NSExpression(forKeyPath: "a")))
        #expect(same(NSExpression(forConstantValue: 1), NSExpression(forConstantValue: 1)))
        #expect(!same(NSExpression(forConstantValue: 1), NSExpression(forConstantValue: 2)))
        #expect(!same(NSExpression(forVariable: "a"), NSExpression(forKeyPath: "a")))
        let sum = NSExpression(forFunction: "sum:", arguments: [path])
        #expect(same(sum, NSExpression(forFunction: "sum:", arguments: [path])))
        #expect(!same(sum, NSExpression(forFunction: "max:", arguments: [path])))
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        #expect(
            same(
                NSExpression(forConstantValue: request), NSExpression(forConstantValue: request)))
    }

    @Test func models_and_their_parts() throws {
        let one = PeopleModel.make(isIndexed: true)
        #expect(same(one, PeopleModel.make(isIndexed: true)))
        #expect(!same(one, PeopleModel.make()))
        #expect(!same(one, PeopleModel.make(employeesRule: .cascadeDeleteRule, isIndexed: true)))
        #expect(!same(one, PeopleModel.make(isDepartmentOptional: false, isIndexed: true)))
        #expect(!same(one, ItemModel.make()))
        let copy = try #require(one.copy() as? NSManagedObjectModel)
        #expect(same(one, copy))
        let person = try #require(copy.entitiesByName["Person"])
        #expect(same(person, try #require(one.entitiesByName["Person"])))
        #expect(!same(person, try #require(one.entitiesByName["Tag"])))
        for property in one.entitiesByName["Person"]?.properties ?? [] {
            #expect(same(property, try #require(person.propertiesByName[property.name])))
        }
        person.propertiesByName["name"]?.isOptional = false
        #expect(!same(person, try #require(one.entitiesByName["Person"])))
        #expect(!same(one, copy))
        person.propertiesByName["name"]?.isOptional = true
        #expect(same(one, copy))
        person.indexes[0].elements[0].isAscending = false
        #expect(!same(one, copy))
    }

    @Test func attributes_and_relationships() {
        func attribute(_ change: (NSAttributeDescription) -> Void) -> NSAttributeDescription {
            let attribute = Build.attribute("a", .integer32AttributeType, default: 3)
            change(attribute)
            return attribute
        }
        let plain = attribute { _ in }
        #expect(same(plain, attribute { _ in }))
        #expect(same(plain, attribute { $0.defaultValue = NSNumber(value: 3) }))
        #expect(!same(plain, attribute { $0.defaultValue = 4 }))
        #expect(!same(plain, attribute { $0.defaultValue = nil }))
        #expect(!same(plain, attribute { $0.name = "b" }))
        #expect(!same(plain, attribute { $0.attributeType = .integer64AttributeType }))
        #expect(!same(plain, attribute { $0.isTransient = true }))
        #expect(!same(plain, attribute { $0.userInfo = ["a": [1]] }))
        #expect(
            same(
                attribute { $0.userInfo = ["a": [1]] }, attribute { $0.userInfo = ["a": [1]] }))
        #expect(!same(plain, attribute { $0.renamingIdentifier = "old" }))
        let checked = attribute {
            $0.setValidationPredicates(
                [NSPredicate(format: "SELF > 1")], withValidationWarnings: ["small"])
        }
        #expect(!same(plain, checked))
        #expect(!same(plain, NSRelationshipDescription()))
        let set: Set<NSPropertyDescription> = [plain]
        plain.isOptional = false
        #expect(set.contains(plain))
    }

    /// Foundation on Linux takes all compounds for equal.
    @Test func compounds_count_by_their_members() throws {
        let (one, two) = (NSPredicate(format: "number > 1"), NSPredicate(format: "number > 2"))
        func both() -> NSPredicate {
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                one, NSCompoundPredicate(notPredicateWithSubpredicate: two),
            ])
        }
        let others: [NSPredicate] = [
            NSCompoundPredicate(andPredicateWithSubpredicates: [one, two]),
            NSCompoundPredicate(orPredicateWithSubpredicates: [
                one, NSCompoundPredicate(notPredicateWithSubpredicate: two),
            ]),
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                one, NSCompoundPredicate(notPredicateWithSubpredicate: one),
            ]),
            NSCompoundPredicate(andPredicateWithSubpredicates: [one]),
            NSPredicate(value: false),
        ]
        for use in CompoundUse.allCases {
            #expect(same(use.model(both()), use.model(both())), "\(use)")
            for other in others {
                #expect(!same(use.model(both()), use.model(other)), "\(use) \(other)")
                #expect(!same(use.model(other), use.model(both())), "\(use) \(other)")
            }
        }
    }

    @Test func equal_models_have_stores_of_their_own() throws {
        let first = try Stack(ItemModel.make())
        let second = try Stack(ItemModel.make())
        #expect(first.model == second.model)
        first.context.make("Item", ["name": "one"])
        second.context.make("Item", ["name": "two"])
        try first.context.save()
        try second.context.save()
        #expect(try first.context.names("Item", "TRUEPREDICATE") == ["one"])
        #expect(try second.context.names("Item", "TRUEPREDICATE") == ["two"])
        let entity = try #require(first.model.entitiesByName["Item"])
        #expect(entity.managedObjectModel === first.model)
        #expect(entity.managedObjectModel !== second.model)
    }
}

/// Where models hold predicates.
private enum CompoundUse: CaseIterable {
    case validation, index, template, having, fetchedProperty, userInfo

    func model(_ predicate: NSPredicate) -> NSManagedObjectModel {
        let model = ItemModel.make()
        let item = model.entities[0]
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        switch self {
        case .validation:
            item.properties[0].setValidationPredicates(
                [predicate], withValidationWarnings: ["no"])
        case .index:
            Build.index(item, "name")
            item.indexes[0].partialIndexPredicate = predicate
        case .template:
            request.predicate = predicate
            model.setFetchRequestTemplate(request, forName: "some")
        case .having:
            request.havingPredicate = predicate
            model.setFetchRequestTemplate(request, forName: "some")
        case .fetchedProperty:
            let property = NSFetchedPropertyDescription()
            property.name = "some"
            request.predicate = predicate
            property.fetchRequest = request
            item.properties.append(property)
        case .userInfo: item.userInfo = ["some": predicate]
        }
        return model
    }
}
