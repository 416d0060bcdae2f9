// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Traps

/// An ordered relationship as a live `NSMutableOrderedSet`.
///
/// Foundation's ordered set answers some questions from its own storage, whatever a subclass
/// overrides. So this one keeps that storage equal to the relationship: the relationship's state
/// reports each change to it, even one made through the set, and only then the storage changes. A
/// few methods, such as `sort(using:)`, change the storage directly and cannot be overridden;
/// comparing the storage with its last known order finds their changes, see ``adoptOrder()``.
final class MutableOrderedMembers: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipRuntime
    /// The members of the storage as the relationship has made them.
    private var known: ContiguousArray<ObjectIdentifier> = []
    private var isReloading = false

    init(_ owner: NSManagedObject, _ relationship: RelationshipRuntime) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
        reload()
        owner.context?.watch(self)
    }

    deinit {
        // The context may only be touched on its own queue.
        guard let context = owner.context else { return adoptOrder() }
        let isUser = context.queue.directUser.load(ordering: .relaxed) == ContextLock.thread
        if isUser || context.isOnQueue { adoptOrder() }
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
        isReloading = true
        defer { isReloading = false }
        while super.count > 0 { super.removeObject(at: super.count - 1) }
        known = []
        for object in owner.destinations(relationship) { append(object) }
        owner.toManyState(relationship.toManyIndex).proxy = self
    }

    func didAppend(_ key: ObjectKey) {
        guard let object = owner.related(key) else { return }
        append(object)
    }

    private func append(_ object: NSManagedObject) {
        super.insert(object, at: super.count)
        known.append(ObjectIdentifier(object))
    }

    func didRemove(_ key: ObjectKey) {
        guard let object = owner.related(key) else { return }
        let index = super.index(of: object)
        if index != NSNotFound { super.removeObject(at: index) }
        if let index = known.firstIndex(of: ObjectIdentifier(object)) { known.remove(at: index) }
    }

    /// Gives the relationship the order of the storage, if that was changed directly.
    ///
    /// - Complexity: O(n).
    func adoptOrder() {
        guard !isReloading, owner.context != nil || owner.flags.contains(.fresh) else { return }
        let list = (0..<super.count).compactMap { super.object(at: $0) as? NSManagedObject }
        guard !known.elementsEqual(list.lazy.map { ObjectIdentifier($0) }) else { return }
        known = ContiguousArray(list.lazy.map { ObjectIdentifier($0) })
        owner.arrange(list, in: relationship)
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
        owner.remove(owner.member(at: idx, of: relationship), from: relationship)
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
        edit { list in
            relationship.checkPlaces([idx1, idx2], in: list)
            list.swapAt(idx1, idx2)
        }
    }

    /// Changes the whole list at once; objects that stay keep their inverse untouched.
    private func edit(_ body: (inout [NSManagedObject]) -> Void) {
        owner.editOrder(relationship, body)
    }

    // MARK: Changes of several members

    override func addObjects(from array: [Any]) { for object in array { add(object) } }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
        edit { list in
            let known = Set(list.map(\.key))
            for (index, object) in zip(indexes, objects.map { owner.member($0, relationship) })
            where !known.contains(object.key) {
                relationship.checkPlaces([index], in: list, includingEnd: true)
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
            relationship.checkPlaces(indexes, in: list)
            for index in indexes.reversed() { list.remove(at: index) }
        }
    }

    override func removeAllObjects() { edit { $0.removeAll() } }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        let new = objects.map { owner.member($0, relationship) }
        edit { list in
            relationship.checkPlaces(indexes, in: list)
            let arriving = Set(new.map(\.key))
            let places = Dictionary(
                zip(indexes, new).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
            list = list.enumerated().compactMap { index, object in
                if let new = places[index] { return new }
                return arriving.contains(object.key) ? nil : object
            }
        }
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        edit { list in
            relationship.checkPlaces(indexes, in: list)
            let moved = indexes.map { list[$0] }
            for index in indexes.reversed() { list.remove(at: index) }
            relationship.checkPlaces([idx], in: list, includingEnd: true)
            list.insert(contentsOf: moved, at: idx)
        }
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

    override func copy(with zone: NSZone? = nil) -> Any {
        NSOrderedSet(array: owner.destinations(relationship))
    }

    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableOrderedSet(array: owner.destinations(relationship))
    }
}

extension RelationshipRuntime {
    /// Traps for a place that a list does not have; the one behind the last may be allowed.
    fileprivate func checkPlaces(
        _ indexes: some Sequence<Int>, in list: [NSManagedObject], includingEnd: Bool = false
    ) {
        let end = list.count + (includingEnd ? 1 : 0)
        for index in indexes {
            require(
                index >= 0 && index < end,
                "\(name) has no place \(index): it has \(list.count) members")
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
