// SPDX-License-Identifier: Apache-2.0

/// People as plain values: what the context is compared with.
struct GraphOracle: Equatable {
    struct Person: Equatable {
        var age = 18
        var department: Int?
        var spouse: Int?
        var parent: Int?
        var tags: Set<Int> = []
        var friends: Set<Int> = []
    }

    var people: [Int: Person] = [:]
    var departments: Set<Int> = []
    var tags: Set<Int> = []

    mutating func marry(_ person: Int, _ partner: Int?) {
        if let former = people[person]?.spouse { people[former]?.spouse = nil }
        if let partner, let former = people[partner]?.spouse { people[former]?.spouse = nil }
        people[person]?.spouse = partner
        if let partner { people[partner]?.spouse = person }
    }

    mutating func befriend(_ person: Int, _ friends: Set<Int>) {
        for former in people[person]?.friends ?? [] where former != person {
            people[former]?.friends.remove(person)
        }
        people[person]?.friends = friends
        for friend in friends { people[friend]?.friends.insert(person) }
    }

    mutating func deletePerson(_ person: Int) {
        people[person] = nil
        for other in people.keys {
            if people[other]?.spouse == person { people[other]?.spouse = nil }
            if people[other]?.parent == person { people[other]?.parent = nil }
            people[other]?.friends.remove(person)
        }
    }

    /// Departments cascade to their employees.
    mutating func deleteDepartment(_ department: Int) {
        departments.remove(department)
        for (number, person) in people where person.department == department {
            deletePerson(number)
        }
    }

    mutating func deleteTag(_ tag: Int) {
        tags.remove(tag)
        for other in people.keys { people[other]?.tags.remove(tag) }
    }
}
