// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

extension NSSortDescriptor {
    /// Sorts by the value at a key path, texts as a selector of `NSString` compares them.
    ///
    /// ```swift
    /// let byName = NSSortDescriptor(
    ///     key: "name", ascending: true, selector: "localizedStandardCompare:")
    /// ```
    ///
    /// The selector is one of `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`,
    /// `localizedCaseInsensitiveCompare:` and `localizedStandardCompare:`, or nil for the first.
    /// Traps for another one. Values that are no texts sort as they do without it.
    public convenience init(key: String?, ascending: Bool, selector: String?) {
        self.init(
            _made: KeySortDescriptor(SortKey(key: key, ascending, selector)),
            of: "a key and a selector", "NSSortDescriptor")
    }

    /// Sorts by what a block says about the values at a key path, in memory.
    ///
    /// The block gets values of key-value coding and never nil, which comes first. Stores in memory
    /// fetch with it, too; a fetch from a file throws 134070: sort the results with it.
    public convenience init(
        key: String?, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        self.init(
            _made: ComparatorSortDescriptor(SortKey.keys(key), ascending, cmptr),
            of: "a key and a comparator", "NSSortDescriptor")
    }

    /// Sorts by a managed property; the same as ``init(key:ascending:)`` with its name.
    ///
    /// ```swift
    /// request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.year, ascending: false)]
    /// ```
    ///
    /// Traps for a key path that leads through anything but managed properties.
    public convenience init<Root: NSManagedObject, Value: Comparable>(
        keyPath: KeyPath<Root, Value>, ascending: Bool
    ) {
        self.init(_managed: keyPath, ascending, nil)
    }

    /// Sorts by a managed property of any type, such as an optional one.
    ///
    /// The root may be a type parameter of the calling function, of which nothing is known there.
    /// Traps for a key path that leads through anything but managed properties, as those of other
    /// types do.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(_managed: keyPath, ascending, nil)
    }

    /// Sorts by a managed property, texts as a selector of `NSString` compares them, see
    /// ``init(key:ascending:selector:)``.
    public convenience init<Root, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, selector: String?
    ) {
        self.init(_managed: keyPath, ascending, selector)
    }

    /// Sorts by what a block says about the values of a managed property, in memory, see
    /// ``init(key:ascending:comparator:)``.
    public convenience init<Root: NSManagedObject, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        let keys = SortKey.keys(keyPath.managedName)
        self.init(
            _made: ComparatorSortDescriptor(keys, ascending, keyPath, cmptr),
            of: "a key path and a comparator", "NSSortDescriptor")
    }

    private convenience init<Root, Value>(
        _managed keyPath: KeyPath<Root, Value>, _ ascending: Bool, _ selector: String?
    ) {
        let order = SortKey(key: ManagedKeyPath.name(of: keyPath), ascending, selector)
        self.init(
            _made: KeySortDescriptor(order, keyPath), of: "a key path", "NSSortDescriptor")
    }

    /// Takes a sort descriptor of Foundation's own kind, made of a managed property.
    ///
    /// ```swift
    /// request.sortDescriptors = [SortDescriptor(\Book.year, order: .reverse)]
    ///     .map(NSSortDescriptor.init)
    /// ```
    ///
    /// Without a comparator for texts they sort as with ``init(key:ascending:)``, by their scalars,
    /// and so they do with `lexical`, the only one there is on Linux. Traps for a key path that
    /// leads through anything but managed properties.
    public convenience init<Compared: NSManagedObject>(
        _ sortDescriptor: SortDescriptor<Compared>
    ) {
        let isAscending = sortDescriptor.order == .forward
        guard let path = sortDescriptor.keyPath else {
            trap("\(sortDescriptor) has no key path; use one with a key path of \(Compared.self)")
        }
        if let comparator = sortDescriptor.stringComparator {
            require(
                String.StandardComparator(comparator, order: .forward) == .lexical,
                "\(sortDescriptor) compares texts by other rules than lexical; use "
                    + "NSSortDescriptor(keyPath:ascending:selector:)")
        }
        self.init(
            _made: KeySortDescriptor(SortKey(key: path.managedName, isAscending, nil)),
            of: "a SortDescriptor", "NSSortDescriptor")
    }

    /// The key that the descriptor sorts by; nil for the objects themselves, and for a key path of
    /// a class that is no managed one.
    public var key: String? {
        (self as? KeySortDescriptor)?.keyName ?? (self as? ComparatorSortDescriptor)?.keyName
            ?? foundationKey
    }

    /// Does nothing: on Apple's systems it allows a descriptor that was unarchived to be used,
    /// which is allowed here.
    public func allowEvaluation() {}

    /// The selector that compares texts; nil for a descriptor with a comparator.
    public var selector: String? {
        (self as? KeySortDescriptor).map { $0.order.collation.selector }
    }
}

extension SortKey {
    /// The order of a key and a selector; traps for an unknown selector.
    fileprivate init(key: String?, _ isAscending: Bool, _ selector: String?) {
        let wanted = selector ?? "compare:"
        guard let collation = Collation.allCases.first(where: { $0.selector == wanted }) else {
            trap(
                "a sort descriptor of \(key ?? "objects") cannot call \(wanted); use one of "
                    + Collation.allCases.map(\.selector).joined(separator: ", ")
                    + ", or a comparator")
        }
        self.init(
            keyPath: SortKey.keys(key), isAscending: isAscending, collation: collation)
    }

    /// The keys of a key path's text.
    fileprivate static func keys(_ key: String?) -> [String] {
        guard let key, key != "self" else { return [] }
        return key.pathKeys
    }
}

extension SortKey.Collation {
    /// The selector of `NSString` that compares so.
    var selector: String {
        switch self {
        case .binary: "compare:"
        case .caseInsensitive: "caseInsensitiveCompare:"
        case .localized: "localizedCompare:"
        case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
        case .localizedStandard: "localizedStandardCompare:"
        }
    }
}
