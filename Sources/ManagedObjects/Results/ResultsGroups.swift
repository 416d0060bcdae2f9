// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Objects by section: sections in the order in which they come up, objects in theirs.
struct ResultsGroups {
    private(set) var sections: [ResultsSection] = []
    private(set) var members: [[NSManagedObject]] = []
    /// The first object that stands apart from others of its section; nil if none does.
    private(set) var stray: NSManagedObject?
    private var numbers: [ObjectIdentifier: Int] = [:]

    init(_ objects: [NSManagedObject], section: (NSManagedObject) -> ResultsSection) {
        var last = -1
        for object in objects {
            let section = section(object)
            let known = number(of: section)
            if let known, known != last, stray == nil { stray = object }
            last = known ?? add(section)
            members[last].append(object)
        }
    }

    private mutating func add(_ section: ResultsSection) -> Int {
        numbers[ObjectIdentifier(section)] = sections.count
        sections.append(section)
        members.append([])
        return sections.count - 1
    }

    /// The place of a section; nil for one that has no objects.
    func number(of section: ResultsSection) -> Int? { numbers[ObjectIdentifier(section)] }

    /// The index paths of all objects.
    var paths: [ObjectIdentifier: IndexPath] {
        var result: [ObjectIdentifier: IndexPath] = [:]
        for (number, objects) in members.enumerated() {
            for (item, object) in objects.enumerated() {
                result[ObjectIdentifier(object)] = IndexPath(item: item, section: number)
            }
        }
        return result
    }
}
