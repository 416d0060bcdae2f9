// SPDX-License-Identifier: Apache-2.0

/// One action that was registered for undo.
package struct UndoOperation {
    /// The object that it changes; only the identity, as a manager does not keep its targets alive.
    let target: ObjectIdentifier
    let perform: () -> Void

    package init(target: ObjectIdentifier, perform: @escaping () -> Void) {
        self.target = target
        self.perform = perform
    }
}

/// Actions and groups that are undone together.
final class UndoGroup {
    private enum Element {
        case operation(UndoOperation)
        case group(UndoGroup)
    }

    private var elements: [Element] = []
    var name = ""
    var isDiscardable = false

    var isEmpty: Bool { elements.isEmpty }

    func append(_ operation: UndoOperation) { elements.append(.operation(operation)) }

    func append(_ group: UndoGroup) { elements.append(.group(group)) }

    /// Takes out the newest element if it is a group.
    func takeLastGroup() -> UndoGroup? {
        guard case .group(let group)? = elements.last else { return nil }
        elements.removeLast()
        return group
    }

    /// Performs everything, newest first.
    func perform() {
        for element in elements.reversed() {
            switch element {
            case .operation(let operation): operation.perform()
            case .group(let group): group.perform()
            }
        }
    }

    func removeAll() { elements = [] }

    /// Drops the actions of a target, and groups that get empty by that.
    func remove(_ target: ObjectIdentifier) {
        elements.removeAll { element in
            switch element {
            case .operation(let operation): return operation.target == target
            case .group(let group):
                group.remove(target)
                return group.isEmpty
            }
        }
    }
}
