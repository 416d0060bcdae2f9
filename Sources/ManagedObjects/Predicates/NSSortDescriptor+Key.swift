// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

extension NSSortDescriptor {
    /// Sorts by the value at a key path of attributes and to-one relationships.
    ///
    /// ```swift
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "team.name", ascending: true),
    ///     NSSortDescriptor(key: "score", ascending: false),
    /// ]
    /// ```
    ///
    /// Strings sort by their scalars, nil before everything else. In memory, as in
    /// `sortedArray(using:)`, any key of key-value coding works, for managed objects, dictionaries
    /// and the stored properties of other objects; a key that an object lacks traps.
    public convenience init(key: String?, ascending: Bool) {
        let path = (key ?? "").pathKeys
        let made = KeySortDescriptor(SortKey(keyPath: path, isAscending: ascending))
        self.init(_made: made, of: "a key", "NSSortDescriptor")
    }
}

/// Turns sort descriptors into the orders that stores run.
enum SortConversion {
    /// The text of keys; nil for none, which is the object itself.
    static func name(of keys: [String]) -> String? {
        keys.isEmpty ? nil : keys.joined(separator: ".")
    }

    /// What an object of any kind has at some keys; traps where it has nothing to be sorted by.
    static func operand(at keys: [String], of object: Any) -> SubjectOperand {
        do {
            return try Predicates.Expression.path(keys, of: .evaluatedObject)
                .value(with: PredicateConversion.subject(object))
        } catch {
            trap("\(object) cannot be sorted by \(name(of: keys) ?? "itself"): \(error)")
        }
    }

    /// The order of a descriptor.
    ///
    /// - Throws: 134070 for a descriptor of a block or of Foundation's own making.
    static func order(_ descriptor: NSSortDescriptor, _ runtime: EntityRuntime) throws -> SortKey {
        guard let keyed = descriptor as? KeySortDescriptor else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                descriptor is ComparatorSortDescriptor
                    ? "a store cannot call the comparator of a sort descriptor; sort the results "
                        + "with it, as in sortedArray(using:), or use a selector, as in "
                        + "NSSortDescriptor(key:ascending:selector:)"
                    : "a store sorts by keys; use NSSortDescriptor(key:ascending:) or a key path "
                        + "of a managed class")
        }
        guard !keyed.order.keyPath.isEmpty else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "a sort descriptor of \(runtime.entity.name) has an empty key")
        }
        try check(keyed.order.keyPath[...], runtime)
        return keyed.order
    }

    /// Refuses what no store can sort by, so that unsaved changes make no difference to it.
    private static func check(_ path: ArraySlice<String>, _ runtime: EntityRuntime) throws {
        guard let key = path.first, let reference = runtime.references[key] else { return }
        if case .field(let position) = reference, runtime.fields[position].isStored {
            guard path.count > 1, let step = runtime.relationship(named: key) else { return }
            return try check(path.dropFirst(), step.destination)
        }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "a fetch cannot sort by \(runtime.entity.name).\(key), which is transient or to-many; "
                + "sort the results instead")
    }
}
