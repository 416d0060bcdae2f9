// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sort descriptor of a key and a comparator of the program's, for use in memory.
final class ComparatorSortDescriptor: NSSortDescriptor {
    let keys: [String]

    init(_ keys: [String], _ isAscending: Bool, _ comparator: @escaping Comparator) {
        self.keys = keys
        super.init(
            keyPath: \NSObject.description, ascending: isAscending, comparator: comparator)
    }

    /// A descriptor that also knows the Swift key path that it was made of.
    init<Root, Value>(
        _ keys: [String], _ isAscending: Bool, _ path: KeyPath<Root, Value>,
        _ comparator: @escaping Comparator
    ) {
        self.keys = keys
        super.init(keyPath: path, ascending: isAscending, comparator: comparator)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var reversedSortDescriptor: Any {
        ComparatorSortDescriptor(keys, !ascending, comparator)
    }

    /// The key; nil for the object itself.
    var keyName: String? { SortConversion.name(of: keys) }

    // The comparator never sees nil, which comes first.
    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let result: ComparisonResult =
            switch (value(of: object1), value(of: object2)) {
            case (let left?, let right?): comparator(left, right)
            case (nil, nil): .orderedSame
            case (nil, _): .orderedAscending
            case (_, nil): .orderedDescending
            }
        guard !ascending else { return result }
        switch result {
        case .orderedAscending: return .orderedDescending
        case .orderedDescending: return .orderedAscending
        case .orderedSame: return .orderedSame
        }
    }

    private func value(of object: Any) -> Any? {
        if keys.isEmpty { return object }
        if let managed = object as? NSManagedObject {
            return ValueConversion.unwrapped(managed.value(forKeyPath: keyName ?? ""))
        }
        return PredicateConversion.object(SortConversion.operand(at: keys, of: object), nil)
    }

    override func isEqual(_ object: Any?) -> Bool { object as? NSObject === self }

    override var hash: Int { ObjectIdentifier(self).hashValue }
}
