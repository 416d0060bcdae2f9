// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import _TestSupport

/// Does the same to a context and to the oracle; objects are named by numbers.
struct GraphDriver {
    let stack: Stack
    var random: SplitMix64
    var oracle = GraphOracle()
    /// What the context has saved, into its parent if it has one.
    var committed = GraphOracle()
    /// What is in the store.
    var saved = GraphOracle()
    /// From the root to the context that is driven.
    private(set) var contexts: [NSManagedObjectContext] = []
    private let depth: Int
    private var next = 0
    private var held: [NSManagedObject] = []

    /// - Parameter depth: How many parents the context has.
    init(seed: UInt64, depth: Int = 0) throws {
        stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule, isIndexed: true))
        random = SplitMix64(state: seed)
        self.depth = depth
        makeContexts()
    }

    var context: NSManagedObjectContext { contexts[depth] }

    private mutating func makeContexts() {
        contexts = [stack.container.newBackgroundContext()]
        for level in 0..<depth { contexts.append(Stack.child(of: contexts[level])) }
    }

    private func object(_ entity: String, _ number: Int) throws -> NSManagedObject {
        guard let found = try context.named("\(number)", entity) else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return found
    }

    private func objects(_ entity: String, _ numbers: Set<Int>) throws -> Set<NSManagedObject> {
        Set(try numbers.map { try object(entity, $0) })
    }

    private mutating func pick(_ numbers: some Collection<Int>) -> Int? {
        numbers.sorted().randomElement(using: &random)
    }

    private mutating func some(_ numbers: some Collection<Int>) -> Set<Int> {
        Set(numbers.sorted().filter { _ in random.below(4) == 0 })
    }

    mutating func step() throws {
        switch random.below(100) {
        case let number where number < 80: try edit(number)
        case 80..<82: held = try context.all("Person")
        case 82..<84: held = []
        case 84..<93: try save()
        case 93..<97: rollback()
        case 97..<98: context.refreshAllObjects()
        default: try reopen()
        }
    }

    /// One change of the graph; a number below 80 says which.
    mutating func edit(_ number: Int) throws {
        switch number {
        case 0..<22: insert()
        case 22..<32: try setAge()
        case 32..<42: try setDepartment()
        case 42..<50: try setSpouse()
        case 50..<58: try setParent()
        case 58..<66: try setTags()
        case 66..<74: try setFriends()
        default: try delete()
        }
    }

    private mutating func insert() {
        next += 1
        switch random.below(6) {
        case 0:
            context.make("Department", ["name": "\(next)"])
            oracle.departments.insert(next)
        case 1:
            context.make("Tag", ["name": "\(next)"])
            oracle.tags.insert(next)
        default:
            context.make("Person", ["name": "\(next)"])
            oracle.people[next] = GraphOracle.Person()
        }
    }

    private mutating func setAge() throws {
        guard let person = pick(oracle.people.keys) else { return }
        let age = random.below(60)
        try object("Person", person).setValue(age, forKey: "age")
        oracle.people[person]?.age = age
    }

    private mutating func setDepartment() throws {
        guard let person = pick(oracle.people.keys) else { return }
        let department = random.below(4) == 0 ? nil : pick(oracle.departments)
        let value = try department.map { try object("Department", $0) }
        if let value, random.below(2) == 0 {
            value.setValue(
                value.many("employees").union([try object("Person", person)]), forKey: "employees")
        } else {
            try object("Person", person).setValue(value, forKey: "department")
        }
        oracle.people[person]?.department = department
    }

    private mutating func setSpouse() throws {
        guard let person = pick(oracle.people.keys) else { return }
        let partner = random.below(4) == 0 ? nil : pick(oracle.people.keys)
        let value = try partner.map { try object("Person", $0) }
        try object("Person", person).setValue(value, forKey: "spouse")
        oracle.marry(person, partner)
    }

    private mutating func setParent() throws {
        guard let person = pick(oracle.people.keys) else { return }
        if random.below(2) == 0 {
            let parent = random.below(4) == 0 ? nil : pick(oracle.people.keys)
            let value = try parent.map { try object("Person", $0) }
            try object("Person", person).setValue(value, forKey: "parent")
            oracle.people[person]?.parent = parent
        } else {
            let children = some(oracle.people.keys)
            try object("Person", person).setValue(
                try objects("Person", children), forKey: "children")
            for (number, child) in oracle.people where child.parent == person {
                oracle.people[number]?.parent = nil
            }
            for child in children { oracle.people[child]?.parent = person }
        }
    }

    private mutating func setTags() throws {
        guard let person = pick(oracle.people.keys) else { return }
        if random.below(2) == 0, let tag = pick(oracle.tags) {
            let people = some(oracle.people.keys)
            try object("Tag", tag).setValue(try objects("Person", people), forKey: "people")
            for number in oracle.people.keys { oracle.people[number]?.tags.remove(tag) }
            for number in people { oracle.people[number]?.tags.insert(tag) }
        } else {
            let tags = some(oracle.tags)
            try object("Person", person).setValue(try objects("Tag", tags), forKey: "tags")
            oracle.people[person]?.tags = tags
        }
    }

    private mutating func setFriends() throws {
        guard let person = pick(oracle.people.keys) else { return }
        let friends = some(oracle.people.keys)
        try object("Person", person).setValue(try objects("Person", friends), forKey: "friends")
        oracle.befriend(person, friends)
    }

    private mutating func delete() throws {
        switch random.below(5) {
        case 0:
            guard let department = pick(oracle.departments) else { return }
            context.delete(try object("Department", department))
            oracle.deleteDepartment(department)
        case 1:
            guard let tag = pick(oracle.tags) else { return }
            context.delete(try object("Tag", tag))
            oracle.deleteTag(tag)
        default:
            guard let person = pick(oracle.people.keys) else { return }
            context.delete(try object("Person", person))
            oracle.deletePerson(person)
        }
    }

    mutating func save() throws {
        if random.below(4) == 0 {
            try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        }
        try context.save()
        committed = oracle
        guard depth == 0 || random.below(2) == 0 else { return }
        for ancestor in contexts.dropLast().reversed() { try ancestor.save() }
        saved = oracle
    }

    mutating func rollback() {
        context.rollback()
        oracle = committed
    }

    mutating func reopen() throws {
        held = []
        for context in contexts.reversed() { context.reset() }
        try stack.reopen()
        makeContexts()
        oracle = saved
        committed = saved
    }
}
