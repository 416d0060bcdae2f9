// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// An ordered relationship as a live `NSMutableOrderedSet`.
///
/// Foundation's ordered set answers some questions from its own storage, whatever a subclass
/// overrides. So this one keeps that storage equal to the relationship: the relationship's state
/// reports each change to it, even one made through the set, and only then the storage changes.
/// Foundation's methods that change the storage are all overridden, or end in one that is.
final class MutableOrderedMembers: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipRuntime
    /// The members of the storage in their order: to look through these takes a thousandth of the
    /// time that Foundation's list takes.
    private var known: ContiguousArray<ObjectIdentifier> = []
    /// The places of the members, where many were asked for since the last change.
    private var places: [ObjectIdentifier: Int] = [:]
    private var searches = 0
    /// Whether the context was asked to keep the set until the event ends.
    private var isKept = false

    init(_ owner: NSManagedObject, _ relationship: RelationshipRuntime) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
        reload()
    }

    @available(*, unavailable)
    required init(arrayLiteral elements: Any...) {
        trap("made by mutableOrderedSetValue only")
    }

    @available(*, unavailable)
    required init?(coder aDecoder: NSCoder) {
        trap("made by mutableOrderedSetValue only")
    }

    // MARK: What the state says

    /// Takes over all of the relationship.
    func reload() {
        forgetPlaces()
        super.removeAllObjects()
        known.removeAll(keepingCapacity: true)
        for object in owner.destinations(relationship) { append(object) }
        owner.toManyState(relationship.toManyIndex).proxy = self
    }

    func didAppend(_ key: ObjectKey) {
        stay()
        guard let object = owner.related(key) else { return }
        forgetPlaces()
        append(object)
    }

    private func append(_ object: NSManagedObject) {
        super.insert(object, at: super.count)
        known.append(ObjectIdentifier(object))
    }

    /// Takes over a new member.
    ///
    /// - Parameter count: How many there are with it.
    func didInsert(_ key: ObjectKey, at index: Int, of count: Int) {
        stay()
        // Places are those of the keys, some of which may have no object.
        guard let object = owner.related(key), count == known.count + 1 else { return reload() }
        forgetPlaces()
        super.insert(object, at: index)
        known.insert(ObjectIdentifier(object), at: index)
    }

    func didRemove(_ key: ObjectKey) {
        stay()
        guard let object = owner.related(key), let index = place(of: object) else { return }
        takeOut(index)
    }

    private func takeOut(_ index: Int) {
        forgetPlaces()
        super.removeObject(at: index)
        known.remove(at: index)
    }

    /// Has the context keep the set while it changes, for the program that asks for it again.
    private func stay() {
        guard !isKept, let context = owner.context else { return }
        isKept = true
        context.keep(self)
    }

    // MARK: Places

    private func forgetPlaces() {
        searches = 0
        if !places.isEmpty { places = [:] }
    }

    /// - Complexity: O(n) of a comparison each, or O(1) once many places were asked for.
    private func place(of object: NSManagedObject) -> Int? {
        let identifier = ObjectIdentifier(object)
        if !places.isEmpty { return places[identifier] }
        searches += 1
        guard searches > 32 else { return known.firstIndex(of: identifier) }
        places.reserveCapacity(known.count)
        for (index, member) in known.enumerated() { places[member] = index }
        return places[identifier]
    }

    // Foundation's own compares one by one, with a call each.
    override func index(of object: Any) -> Int {
        (object as? NSManagedObject).flatMap { place(of: $0) } ?? NSNotFound
    }

    // Foundation's own trap has no message in a release build.
    override func object(at idx: Int) -> Any {
        require(
            idx >= 0 && idx < super.count,
            "\(relationship.name) has no place \(idx): it has "
                + "\(super.count) members")
        return super.object(at: idx)
    }

    // MARK: Single changes

    override func insert(_ object: Any, at idx: Int) {
        owner.insert(owner.member(object, relationship), at: idx, into: relationship)
    }

    override func removeObject(at idx: Int) {
        guard let object = object(at: idx) as? NSManagedObject else { return }
        owner.remove(object, from: relationship)
    }

    override func replaceObject(at idx: Int, with obj: Any) {
        owner.replaceMember(
            at: idx, with: owner.member(obj, relationship), of: relationship)
    }

    override func setObject(_ obj: Any, at idx: Int) {
        idx == count ? insert(obj, at: idx) : replaceObject(at: idx, with: obj)
    }

    override func add(_ object: Any) {
        owner.insert(owner.member(object, relationship), into: relationship)
    }

    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.remove(object, from: relationship)
    }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        relationship.checkPlaces([idx1, idx2], of: known.count)
        guard reorder([idx1, idx2], { $0.swapAt(idx1, idx2) }) else {
            return edit { $0.swapAt(idx1, idx2) }
        }
        forgetPlaces()
        super.exchangeObject(at: idx1, withObjectAt: idx2)
        known.swapAt(idx1, idx2)
    }

    /// Changes the order of the relationship alone; false if the list has to be changed as a whole.
    private func reorder(
        _ places: [Int], _ body: (inout ContiguousArray<ObjectKey>) -> Void
    ) -> Bool {
        let members = places.compactMap { place in
            (object(at: place) as? NSManagedObject).map { (place: place, object: $0) }
        }
        return owner.reorder(relationship, members, of: known.count, body)
    }

    /// Changes the whole list at once; objects that stay keep their inverse untouched.
    private func edit(_ body: (inout [NSManagedObject]) -> Void) {
        owner.editOrder(relationship, body)
    }

    // MARK: Changes of several members

    override func addObjects(from array: [Any]) { for object in array { add(object) } }

    // SAFETY: the caller has so many objects there, as Foundation's own method expects.
    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        for object in UnsafeBufferPointer(start: objects, count: count) { add(object) }
    }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
        edit { list in
            let known = Set(list.map(\.key))
            for (index, object) in zip(indexes, objects.map { owner.member($0, relationship) })
            where !known.contains(object.key) {
                relationship.checkPlaces([index], of: list.count, includingEnd: true)
                list.insert(object, at: index)
            }
        }
    }

    override func removeObjects(in array: [Any]) {
        let leaving = Set(array.compactMap { ($0 as? NSManagedObject)?.key })
        edit { list in list.removeAll { leaving.contains($0.key) } }
    }

    override func removeObjects(in range: NSRange) {
        edit { $0.removeSubrange(relationship.checkedRange(range, in: $0)) }
    }

    override func removeObjects(at indexes: IndexSet) {
        edit { list in
            relationship.checkPlaces(indexes, of: list.count)
            for index in indexes.reversed() { list.remove(at: index) }
        }
    }

    override func removeAllObjects() { edit { $0.removeAll() } }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        let new = objects.map { owner.member($0, relationship) }
        edit { list in
            relationship.checkPlaces(indexes, of: list.count)
            // One that has a place which stays as it is takes no other.
            let staying = Set(
                list.indices.filter { !indexes.contains($0) }.map { list[$0].key })
            // And one that is named twice takes the first of its places.
            var arriving: Set<ObjectKey> = []
            let places = Dictionary(
                zip(indexes, new).filter {
                    !staying.contains($1.key) && arriving.insert($1.key).inserted
                }, uniquingKeysWith: { first, _ in first })
            list = list.enumerated().compactMap { index, object in
                if let new = places[index] { return new }
                return arriving.contains(object.key) ? nil : object
            }
        }
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        relationship.checkPlaces(indexes, of: known.count)
        relationship.checkPlaces([idx], of: known.count - indexes.count, includingEnd: true)
        guard let index = indexes.first, indexes.count == 1,
            reorder([index], { $0.insert($0.remove(at: index), at: idx) })
        else { return edit { $0.move(indexes, to: idx) } }
        let object = super.object(at: index)
        takeOut(index)
        super.insert(object, at: idx)
        known.insert(ObjectIdentifier(object as AnyObject), at: idx)
    }

    // MARK: Set operations and sorting

    override func union(_ other: NSOrderedSet) { for object in other { add(object) } }
    override func unionSet(_ other: Set<AnyHashable>) { for object in other { add(object.base) } }

    override func minus(_ other: NSOrderedSet) { removeObjects(in: Array(other)) }
    override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

    override func intersect(_ other: NSOrderedSet) { keep(Array(other)) }
    override func intersectSet(_ other: Set<AnyHashable>) { keep(other.map(\.base)) }

    private func keep(_ objects: [Any]) {
        let staying = Set(objects.compactMap { ($0 as? NSManagedObject)?.key })
        edit { list in list.removeAll { !staying.contains($0.key) } }
    }

    override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) {
        sortRange(NSRange(location: 0, length: count), options: [], usingComparator: cmptr)
    }

    override func sort(
        options opts: NSSortOptions, usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        sortRange(NSRange(location: 0, length: count), options: opts, usingComparator: cmptr)
    }

    override func sortRange(
        _ range: NSRange, options opts: NSSortOptions,
        usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        edit { list in
            list[relationship.checkedRange(range, in: list)].sort {
                cmptr($0, $1) == .orderedAscending
            }
        }
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        edit { list in list.sort { sortDescriptors.areInOrder($0, $1) } }
    }

    override func copy(with zone: NSZone? = nil) -> Any {
        NSOrderedSet(array: owner.destinations(relationship))
    }

    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableOrderedSet(array: owner.destinations(relationship))
    }
}

extension RelationshipRuntime {
    /// Traps for a place that so many members do not have; the one behind the last may be allowed.
    fileprivate func checkPlaces(
        _ indexes: some Sequence<Int>, of count: Int, includingEnd: Bool = false
    ) {
        let end = count + (includingEnd ? 1 : 0)
        for index in indexes {
            require(
                index >= 0 && index < end,
                "\(name) has no place \(index): it has \(count) members")
        }
    }

    /// The range of a list; traps for one that goes beyond it.
    fileprivate func checkedRange(_ range: NSRange, in list: [NSManagedObject]) -> Range<Int> {
        require(
            range.location >= 0 && range.length >= 0 && range.location <= list.count
                && range.length <= list.count - range.location,
            "\(name) has no \(range.length) places from \(range.location) on: it has "
                + "\(list.count) members")
        return range.location..<range.location + range.length
    }
}

extension [NSManagedObject] {
    /// Moves members to a place among those that stay.
    fileprivate mutating func move(_ indexes: IndexSet, to place: Int) {
        let moved = indexes.map { self[$0] }
        for index in indexes.reversed() { remove(at: index) }
        insert(contentsOf: moved, at: place)
    }
}

extension NSManagedObjectContext {
    /// So many live ordered sets are kept during an event.
    private static var mostOrderedSets: Int { 8 }

    /// Keeps a live ordered set until the event ends, or others have changed since.
    fileprivate final func keep(_ set: MutableOrderedMembers) {
        let former = event.orderedSets
        event.orderedSets = former.suffix(NSManagedObjectContext.mostOrderedSets - 1) + [set]
        // Objects may end with what is not kept, and use the context.
        withExtendedLifetime(former) {}
    }

    final func releaseOrderedSets() {
        let former = event.orderedSets
        if former.isEmpty { return }
        event.orderedSets = []
        withExtendedLifetime(former) {}
    }
}
