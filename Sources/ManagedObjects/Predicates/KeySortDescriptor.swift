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
        let operand = SortConversion.operand(at: order.keyPath, of: object)
        if let value = operand.scalar { return value }
        trap("\(operand.kind) at \(keyName ?? "itself") of \(object) has no order")
    }

    /// The key; nil for the object itself.
    var keyName: String? { SortConversion.name(of: order.keyPath) }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? KeySortDescriptor)?.order == order
    }

    override var hash: Int { order.hashValue }
}
