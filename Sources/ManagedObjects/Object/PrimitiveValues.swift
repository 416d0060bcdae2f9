// SPDX-License-Identifier: Apache-2.0

import Schema

/// What custom accessors leave with an object: the values that primitive setters have written since
/// the last save, and the properties between their will-change and their did-change call.
///
/// Values of primitive setters are not tracked changes. A property counts as tracked again as soon
/// as its value is another one than the primitive setter wrote, so that other setters need not
/// know of this.
final class PrimitiveValues {
    /// The destinations of relationships between their will-change and did-change calls.
    var openChanges: [String: Set<ObjectKey>] = [:]
    private var fields: [(position: Int, value: Value)] = []
    private var members: [(index: Int, image: MemberImage)] = []

    func note(_ value: Value, _ position: Int) {
        fields.removeAll { $0.position == position }
        fields.append((position, value))
    }

    func note(_ image: MemberImage, _ index: Int) {
        members.removeAll { $0.index == index }
        members.append((index, image))
    }

    /// A custom accessor has announced its change: it is a tracked one.
    func forget(_ reference: PropertyReference) {
        switch reference {
        case .field(let position): fields.removeAll { $0.position == position }
        case .toMany(let index): members.removeAll { $0.index == index }
        }
    }

    func holds(_ value: Value, _ position: Int) -> Bool {
        fields.contains { $0.position == position && $0.value == value }
    }

    func holds(_ image: MemberImage, _ index: Int) -> Bool {
        members.contains { $0.index == index && $0.image == image }
    }
}

extension NSManagedObject {
    /// What primitive setters have written so far counts as changes: it makes up the new object.
    @inline(__always)
    final func countPrimitives() {
        if extras != nil { extras?.primitives = nil }
    }
}

extension ObjectExtras {
    func requirePrimitives() -> PrimitiveValues {
        if let primitives { return primitives }
        let made = PrimitiveValues()
        primitives = made
        return made
    }

    /// Whether a field's value is the one that a primitive setter wrote.
    func isPrimitive(_ value: Value, _ position: Int) -> Bool {
        primitives?.holds(value, position) ?? false
    }

    /// Whether a to-many relationship is as a primitive setter left it.
    func isPrimitive(_ image: MemberImage, _ index: Int) -> Bool {
        primitives?.holds(image, index) ?? false
    }
}
