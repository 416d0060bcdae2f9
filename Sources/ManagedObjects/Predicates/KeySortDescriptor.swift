// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

/// A sort descriptor of a key: what `NSSortDescriptor(key:ascending:)` returns.
///
/// Foundation's own cannot keep a key on Linux.
final class KeySortDescriptor: NSSortDescriptor {
    let order: SortKey
    private let cache = FieldCache()

    init(_ order: SortKey) {
        self.order = order
        super.init(keyPath: \NSObject.description, ascending: order.isAscending)
    }

    /// A descriptor that also knows the Swift key path that it was made of.
    init<Root, Value>(_ order: SortKey, _ path: KeyPath<Root, Value>) {
        self.order = order
        super.init(keyPath: path, ascending: order.isAscending) { _, _ in .orderedSame }
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var classForCoder: AnyClass { NSSortDescriptor.self }

    override var reversedSortDescriptor: Any {
        var reversed = order
        reversed.isAscending.toggle()
        return KeySortDescriptor(reversed)
    }

    // What all sorting of collections ends in.
    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let (first, second) = (value(of: object1), value(of: object2))
        guard first.isNull || second.isNull || first.isComparable(to: second) else {
            trap(
                "\(object1) and \(object2) have no order by \(keyName ?? "themselves"): "
                    + "\(SubjectOperand.value(first).kind) and \(SubjectOperand.value(second).kind)"
            )
        }
        return switch order.compare(first, second) {
        case .ascending: .orderedAscending
        case .same: .orderedSame
        case .descending: .orderedDescending
        }
    }

    private func value(of object: Any) -> Value {
        if let object = object as? NSManagedObject,
            let value = attribute(of: object)
        {
            return value
        }
        let operand = SortConversion.operand(at: order.keyPath, of: object)
        if let value = operand.scalar { return value }
        trap("\(operand.kind) at \(keyName ?? "itself") of \(object) has no order")
    }

    /// As ``NSManagedObject/attribute(at:)``; a key alone is looked up once an entity.
    private func attribute(of object: NSManagedObject) -> Value? {
        let path = order.keyPath
        guard path.count == 1 else { return object.attribute(at: path[...]) }
        guard object.accessor(forKey: path[0]) == nil,
            let position = cache.attribute(path[0], of: object.runtime)
        else { return nil }
        return object.sortValue(position)
    }

    /// The key; nil for the object itself.
    var keyName: String? { SortConversion.name(of: order.keyPath) }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? KeySortDescriptor)?.order == order
    }

    override var hash: Int { order.hashValue }
}

extension NSSortDescriptor {
    /// The managed property that one of Foundation's own sorts by; nil for any other descriptor.
    ///
    /// Generic code, which knows nothing of the root of its key path, makes Foundation's. They have
    /// a comparator, and nothing says whether it is the program's: only they can compare.
    final var foundationKey: String? {
        guard Swift.type(of: self) == NSSortDescriptor.self else { return nil }
        return try? ManagedKeyPath.requireName(of: keyPath)
    }
}

extension NSManagedObject {
    /// The attribute at the end of to-one relationships, null where one leads nowhere; nil for any
    /// other path, and where a class has accessors of its own.
    ///
    /// A sort asks for two with each comparison: asking as predicates do took half of its time.
    fileprivate final func attribute(at keyPath: ArraySlice<String>) -> Value? {
        guard let key = keyPath.first, accessor(forKey: key) == nil,
            case .field(let position)? = runtime.references[key]
        else { return nil }
        let rest = keyPath.dropFirst()
        guard runtime.fields[position].isRelationship else {
            return rest.isEmpty ? sortValue(position) : nil
        }
        if rest.isEmpty { return nil }
        guard let destination = destination(position) else { return .null }
        return destination.attribute(at: rest)
    }

    /// The attribute at a position; nil for a transformable one, whose order its object decides.
    fileprivate final func sortValue(_ position: Int) -> Value? {
        let value = fieldValue(position)
        if case .transformable = value { return nil }
        return value
    }
}
