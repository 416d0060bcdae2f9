// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// The results of a controller at one moment, by section: names and object IDs.
///
/// On Apple's systems the class is UIKit's or AppKit's; here it is the part that can be read. IDs
/// are made when they are first asked for, on the context's queue.
public final class NSDiffableDataSourceSnapshotReference: NSObject {
    private let names: [String]
    private let starts: [Int]
    private let list: ResultsList
    private let reloaded: [NSManagedObject]
    private lazy var identifiers: [NSManagedObjectID] =
        list.objects(in: 0..<list.count).map(\.objectID)
    private lazy var positions: [NSManagedObjectID: Int] = Dictionary(
        identifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    /// By the bytes of the names: those that Swift takes for equal may be of different sections.
    private lazy var sectionPositions: [[UInt8]: Int] = Dictionary(
        names.enumerated().map { (Array($1.utf8), $0) }, uniquingKeysWith: { first, _ in first })

    init(_ arrangement: ResultsArrangement, reloaded: [NSManagedObject] = []) {
        names = arrangement.sections.map(\.name)
        starts = arrangement.sections.map(\.start) + [arrangement.list.count]
        list = arrangement.list
        self.reloaded = reloaded
        super.init()
    }

    /// The number of objects in all sections.
    public var numberOfItems: Int { list.count }
    /// The number of sections.
    public var numberOfSections: Int { names.count }
    /// The names of the sections, as `String`.
    public var sectionIdentifiers: [Any] { names }
    /// The IDs of all objects, as ``NSManagedObjectID``.
    public var itemIdentifiers: [Any] { identifiers }
    /// The IDs of the objects that changed, whether they stay where they were or moved.
    public var reloadedItemIdentifiers: [Any] { reloaded.map(\.objectID) }

    /// The number of objects of a section; traps for a name that no section has.
    public func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        range(of: sectionIdentifier).count
    }

    /// The IDs of a section's objects; traps for a name that no section has.
    public func itemIdentifiers(inSection sectionIdentifier: Any) -> [Any] {
        Array(identifiers[range(of: sectionIdentifier)])
    }

    /// The name of the section that an object is in.
    public func sectionIdentifier(forSectionContainingItemIdentifier item: Any) -> Any? {
        let position = index(ofItemIdentifier: item)
        guard position != NSNotFound else { return nil }
        return starts.lastIndex { $0 <= position }.map { names[min($0, names.count - 1)] }
    }

    /// The position of an object among all, or `NSNotFound`.
    public func index(ofItemIdentifier item: Any) -> Int {
        (item as? NSManagedObjectID).flatMap { positions[$0] } ?? NSNotFound
    }

    /// The position of a section, or `NSNotFound`.
    public func index(ofSectionIdentifier section: Any) -> Int {
        guard let name = section as? String else { return NSNotFound }
        return sectionPositions[Array(name.utf8)] ?? names.firstIndex(of: name) ?? NSNotFound
    }

    private func range(of section: Any) -> Range<Int> {
        let index = index(ofSectionIdentifier: section)
        require(index != NSNotFound, "the snapshot has no section \(section); it has \(names)")
        return starts[index]..<starts[index + 1]
    }
}
