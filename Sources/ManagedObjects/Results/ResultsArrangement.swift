// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// The results of a controller in order, with their sections.
///
/// Places are found by the values that objects had when they were placed: nothing depends on what
/// happens to objects between two events.
final class ResultsArrangement {
    let order: ResultsOrder
    let sectionKeyPath: String?
    /// Whether the first criterion is the key path of the sections.
    private let isBySection: Bool
    /// Whether it orders them by the scalars of their names.
    private let sectionsAreByScalars: Bool
    private unowned let owner: ResultsCore
    var list = ResultsList([])
    var entries: [ObjectIdentifier: ResultsEntry] = [:]
    var sections: [ResultsSection] = [] {
        didSet { madeInfos = nil }
    }
    private var madeInfos: [any NSFetchedResultsSectionInfo]?
    private var sectionsByName: [Value: ResultsSection] = [:]
    /// An object that stands apart from others of its section in the sort order; nil if none does.
    ///
    /// With one, the list is ordered by sections first.
    private var stray: NSManagedObject?
    private var nextOrdinal = 0

    /// Arranges what a fetch found.
    ///
    /// - Throws: 134060 when the objects of a section do not stand together.
    init(
        _ objects: [NSManagedObject], _ order: ResultsOrder, sectionKeyPath: String?,
        owner: ResultsCore
    ) throws {
        self.order = order
        self.sectionKeyPath = sectionKeyPath
        isBySection = !order.orders.isEmpty && order.leadingPath == sectionKeyPath
        sectionsAreByScalars = isBySection && order.orders.first?.collation == .binary
        self.owner = owner
        if sectionKeyPath == nil { sections = [makeSection("")] }
        entries.reserveCapacity(objects.count)
        try load(objects)
        renumber()
    }

    private func load(_ objects: [NSManagedObject]) throws {
        var isSorted = true
        var made: [ResultsEntry] = []
        made.reserveCapacity(objects.count)
        for object in objects {
            let entry = try makeEntry(object, made.last)
            if let previous = made.last, !order.precedes(previous, entry) { isSorted = false }
            entries[ObjectIdentifier(object)] = entry
            made.append(entry)
        }
        // The values of a context may be others than those that the fetch has sorted by.
        let sorted = isSorted ? objects : objects.sorted(by: precedes)
        if !isSorted { made = sorted.map(entry) }
        try formSections(sorted, made)
        list = ResultsList(sorted)
    }

    private func formSections(_ objects: [NSManagedObject], _ entries: [ResultsEntry]) throws {
        var previous: ResultsSection?
        for (object, entry) in zip(objects, entries) {
            let section = entry.section
            if section.index < 0 {
                section.index = sections.count
                if sectionKeyPath != nil { sections.append(section) }
            } else if let previous, previous !== section {
                throw outOfOrder(object, section)
            }
            section.numberOfObjects += 1
            previous = section
        }
    }

    private func precedes(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
        order.precedes(entry(of: left), entry(of: right))
    }

    /// Whether sections are torn in the sort order.
    var isTorn: Bool { stray != nil }

    /// What is wrong with torn sections; nil if there are none.
    var tearing: (any Error)? { stray.map { outOfOrder($0, entry(of: $0).section) } }

    private func outOfOrder(_ object: NSManagedObject, _ section: ResultsSection) -> any Error {
        CoreDataError.make(
            .coreData,
            "the objects of section \(section.name) do not stand together, as "
                + "\(object.objectID) shows; sort by \(sectionKeyPath ?? "") first")
    }

    /// An entry of an object as it is now; a result keeps its ordinal.
    func makeEntry(
        _ object: NSManagedObject, _ neighbour: ResultsEntry? = nil
    ) throws -> ResultsEntry {
        let (first, rest) = try order.values(of: object)
        let known = entries[ObjectIdentifier(object)]
        let section = section(of: object, first, known ?? neighbour)
        if let known {
            return ResultsEntry(first: first, rest: rest, ordinal: known.ordinal, section: section)
        }
        nextOrdinal += 1
        return ResultsEntry(first: first, rest: rest, ordinal: nextOrdinal, section: section)
    }

    private func section(
        of object: NSManagedObject, _ value: Value, _ neighbour: ResultsEntry?
    ) -> ResultsSection {
        guard let sectionKeyPath else { return sections[0] }
        if isBySection, let neighbour, neighbour.first == value { return neighbour.section }
        let name = Self.name(object.value(forKeyPath: sectionKeyPath))
        if let known = sectionsByName[key(name)] { return known }
        return makeSection(name)
    }

    private func makeSection(_ name: String) -> ResultsSection {
        let made = ResultsSection(name, owner)
        sectionsByName[key(name)] = made
        return made
    }

    /// Forgets a section that has no objects any more.
    func forget(_ section: ResultsSection) {
        sectionsByName[key(section.name)] = nil
    }

    /// What tells sections apart: `é` of one and of two scalars are one section, but where the
    /// sections are ordered by scalars, which may put others in between.
    private func key(_ name: String) -> Value {
        let isPlain = sectionsAreByScalars || name.utf8.allSatisfy { $0 < 0x80 }
        return .string(isPlain ? name : name.precomposedStringWithCanonicalMapping)
    }

    /// The name of a section: text as it is, other values described, nothing for nil.
    ///
    /// The two zeros have one name, as they are equal in each order.
    private static func name(_ value: Any?) -> String {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.doubleValue == 0 ? "0" : number.stringValue
        case let value?: "\(value)"
        case nil: ""
        }
    }

    /// Takes over objects that were grouped anew.
    func adopt(_ groups: ResultsGroups) {
        for section in sections { section.numberOfObjects = 0 }
        sectionsByName = [:]
        for (section, members) in zip(groups.sections, groups.members) {
            section.numberOfObjects = members.count
            sectionsByName[key(section.name)] = section
        }
        sections = groups.sections
        renumber()
        list = ResultsList(groups.members.flatMap { $0 })
        stray = groups.stray
    }

    /// The sections as a program sees them; made once, as a program asks for all to see one.
    var sectionInfos: [any NSFetchedResultsSectionInfo] {
        if let madeInfos { return madeInfos }
        let made: [any NSFetchedResultsSectionInfo] = sections
        madeInfos = made
        return made
    }

    /// Gives each section its index and its start.
    func renumber() {
        var start = 0
        for (index, section) in sections.enumerated() {
            section.index = index
            section.start = start
            start += section.numberOfObjects
        }
    }

    func contains(_ object: NSManagedObject) -> Bool {
        entries[ObjectIdentifier(object)] != nil
    }

    func entry(of object: NSManagedObject) -> ResultsEntry {
        guard let entry = entries[ObjectIdentifier(object)] else {
            trap("\(object.objectID) is no result of the controller")
        }
        return entry
    }

    /// The number of results that stand before an entry.
    func position(of entry: ResultsEntry) -> Int {
        if isTorn { return positionBySections(of: entry) }
        return list.position { order.precedes(self.entry(of: $0), entry) }
    }

    @inline(never)
    private func positionBySections(of entry: ResultsEntry) -> Int {
        list.position { object in
            let other = self.entry(of: object)
            return other.section === entry.section
                ? order.precedes(other, entry) : other.section.index < entry.section.index
        }
    }

    func indexPath(of object: NSManagedObject) -> IndexPath? {
        guard let entry = entries[ObjectIdentifier(object)] else { return nil }
        return path(position(of: entry), entry.section)
    }

    func path(_ position: Int, _ section: ResultsSection) -> IndexPath {
        IndexPath(item: position - section.start, section: section.index)
    }
}
