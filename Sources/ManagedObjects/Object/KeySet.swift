// SPDX-License-Identifier: Apache-2.0

import Schema

/// A set of keys that mostly has one or a few: the members that a relationship got or lost since
/// the last save.
///
/// A single key lies in the set itself, and further ones in a list for as long as they are few or
/// come in ascending order, as those of new objects do. Other ones are hashed. Allocating a `Set`
/// and hashing a key took a quarter of setting an inverse, and of a million new books in one save a
/// fifth of its time. Iterates in the order of insertion unless keys are hashed.
struct KeySet: Sequence {
    /// A list of so many keys may be in any order: they are compared in less time than a hash
    /// takes.
    private static let fewKeys = 12
    /// Of a longer list, a key is taken out by its end alone; all others are hashed then.
    private static let movedKeys = 64

    /// The first key of a list; 0 where there is none or keys are hashed.
    private var first = KeySet.none
    /// The other keys of a list.
    private var others: ContiguousArray<ObjectKey> = []
    /// All keys, once they are hashed.
    private var many: Set<ObjectKey> = []

    private static let none = ObjectKey(rawValue: 0)

    /// An empty set.
    init() {}

    /// The keys of a sequence.
    init(_ keys: some Sequence<ObjectKey>) {
        for key in keys { insert(key) }
    }

    var isEmpty: Bool { first == KeySet.none && many.isEmpty }

    var count: Int {
        first == KeySet.none ? many.count : 1 + others.count
    }

    func contains(_ key: ObjectKey) -> Bool {
        if first == KeySet.none { return !many.isEmpty && many.contains(key) }
        return first == key || place(of: key) != nil
    }

    /// Where a key lies behind the first one of a list.
    private func place(of key: ObjectKey) -> Int? {
        guard isOrdered else { return others.firstIndex(of: key) }
        let place = others.partitioningIndex { $0 >= key }
        return place < others.count && others[place] == key ? place : nil
    }

    /// Whether a list is long enough to have its keys in ascending order.
    private var isOrdered: Bool { others.count + 1 > KeySet.fewKeys }

    /// Adds a key; false if it was there.
    @discardableResult
    mutating func insert(_ key: ObjectKey) -> Bool {
        guard first != KeySet.none else {
            guard many.isEmpty else { return many.insert(key).inserted }
            first = key
            return true
        }
        if isOrdered, let last = others.last, last < key {
            others.append(key)
            return true
        }
        if contains(key) { return false }
        let staysList = others.count + 2 <= KeySet.fewKeys || !isOrdered && isAscending(before: key)
        guard staysList else {
            hashAll()
            many.insert(key)
            return true
        }
        others.append(key)
        return true
    }

    /// Whether the keys of a list ascend, and a further one does after them.
    private func isAscending(before key: ObjectKey) -> Bool {
        var last = first
        for other in others {
            guard last < other else { return false }
            last = other
        }
        return last < key
    }

    private mutating func hashAll() {
        var all = Set<ObjectKey>(minimumCapacity: 2 * count)
        for key in self { all.insert(key) }
        many = all
        first = KeySet.none
        others = []
    }

    /// Takes out a key; false if it was not there.
    @discardableResult
    mutating func remove(_ key: ObjectKey) -> Bool {
        guard first != KeySet.none else { return !many.isEmpty && many.remove(key) != nil }
        guard let place = first == key ? -1 : place(of: key) else { return false }
        if place + 1 == others.count, place >= 0 {
            others.removeLast()
        } else if others.count >= KeySet.movedKeys {
            hashAll()
            many.remove(key)
        } else if place < 0 {
            first = others.isEmpty ? KeySet.none : others.removeFirst()
        } else {
            others.remove(at: place)
        }
        return true
    }

    /// Takes out the keys for which a condition does not hold.
    mutating func keep(where isKept: (ObjectKey) -> Bool) {
        self = KeySet(lazy.filter(isKept))
    }

    /// Takes out all keys.
    mutating func removeAll() {
        // Assigning an empty set would give up the list and count references each time.
        guard !isEmpty else { return }
        self = KeySet()
    }

    /// The keys that another set does not have.
    func subtracting(_ other: KeySet) -> KeySet {
        KeySet(lazy.filter { !other.contains($0) })
    }

    /// The keys of both.
    func union(_ other: KeySet) -> KeySet {
        var result = self
        for key in other { result.insert(key) }
        return result
    }

    func makeIterator() -> Iterator {
        Iterator(first: first, others: others, many: many)
    }

    struct Iterator: IteratorProtocol {
        private var first: ObjectKey
        private var others: IndexingIterator<ContiguousArray<ObjectKey>>
        private var many: Set<ObjectKey>.Iterator

        fileprivate init(
            first: ObjectKey, others: ContiguousArray<ObjectKey>, many: Set<ObjectKey>
        ) {
            self.first = first
            self.others = others.makeIterator()
            self.many = many.makeIterator()
        }

        @inline(__always)
        mutating func next() -> ObjectKey? {
            if first != KeySet.none {
                defer { first = KeySet.none }
                return first
            }
            return others.next() ?? many.next()
        }
    }
}

extension KeySet: Equatable {
    static func == (left: KeySet, right: KeySet) -> Bool {
        left.count == right.count && left.allSatisfy(right.contains)
    }
}

extension KeySet: ExpressibleByArrayLiteral {
    init(arrayLiteral keys: ObjectKey...) {
        self.init(keys)
    }
}
