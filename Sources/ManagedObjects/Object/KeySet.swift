// SPDX-License-Identifier: Apache-2.0

import Schema

/// A set of keys that mostly has one or a few: the members that a relationship got or lost since
/// the last save.
///
/// A single key lies in the set itself, and a few in a list. Allocating a `Set` and hashing a key
/// took a quarter of setting an inverse. Iterates in the order of insertion while there are few.
struct KeySet: Sequence {
    /// More keys than these are hashed; so many are compared in less time than a hash takes.
    private static let fewKeys = 12

    /// The first of few keys; 0 where there are none or many.
    private var first = KeySet.none
    /// The other ones of few keys.
    private var others: ContiguousArray<ObjectKey> = []
    /// All keys, once there are many.
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
        return first == key || others.contains(key)
    }

    /// Adds a key; false if it was there.
    @discardableResult
    mutating func insert(_ key: ObjectKey) -> Bool {
        guard first != KeySet.none else {
            guard many.isEmpty else { return many.insert(key).inserted }
            first = key
            return true
        }
        if contains(key) { return false }
        guard others.count + 1 < KeySet.fewKeys else {
            many = Set(self)
            many.insert(key)
            first = KeySet.none
            others = []
            return true
        }
        others.append(key)
        return true
    }

    /// Takes out a key; false if it was not there.
    @discardableResult
    mutating func remove(_ key: ObjectKey) -> Bool {
        guard first != KeySet.none else { return !many.isEmpty && many.remove(key) != nil }
        if first == key {
            first = others.isEmpty ? KeySet.none : others.removeFirst()
            return true
        }
        guard let index = others.firstIndex(of: key) else { return false }
        others.remove(at: index)
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
