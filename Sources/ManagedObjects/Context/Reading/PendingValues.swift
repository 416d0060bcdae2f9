// SPDX-License-Identifier: Apache-2.0

import Schema

/// The unsaved objects of an entity, and of those that inherit from it, by one attribute.
///
/// An object that was changed since it was added has entries that are out of date, so what is
/// found is a choice: no match is missing from it, and not all that it has are matches.
struct PendingValues {
    let entity: EntityRuntime
    let attribute: String
    /// The newest entry of a value.
    private var heads: [Value: Int] = [:]
    private var entries: ContiguousArray<Entry> = []
    /// Objects whose value is not known before an evaluation asks for it.
    private var unsettled: ContiguousArray<NSManagedObject> = []
    /// The attribute's position by ordinal, and nil for an entity that is not of the kind.
    private var positions: [Int: Int?] = [:]

    private struct Entry {
        let object: NSManagedObject
        /// The next one of the same value; -1 behind the last one.
        let next: Int
    }

    init(_ equality: QuickEquality) {
        entity = equality.entity
        attribute = equality.attribute
    }

    /// How many entries there are; more than objects, where some were changed.
    var count: Int { entries.count + unsettled.count }

    /// Takes an object in, unless it is of another kind; false then.
    mutating func add(_ object: NSManagedObject) -> Bool {
        guard let position = position(in: object.runtime) else { return false }
        guard object.flags.isDisjoint(with: [.fault, .inaccessible]), object.isCodedPlainly else {
            unsettled.append(object)
            return true
        }
        guard let value = object.knownValue(position).quickForm else { return true }
        let head = heads.updateValue(entries.count, forKey: value)
        entries.append(Entry(object: object, next: head ?? -1))
        return true
    }

    private mutating func position(in runtime: EntityRuntime) -> Int? {
        if let known = positions[runtime.ordinal] { return known }
        let position = runtime.position(of: attribute, inKindOf: entity)
        positions[runtime.ordinal] = .some(position)
        return position
    }

    /// Calls a body with each object that may have a value.
    func forEach(_ value: Value, _ body: (NSManagedObject) -> Void) {
        var index = heads[value] ?? -1
        while index >= 0 {
            body(entries[index].object)
            index = entries[index].next
        }
        unsettled.forEach(body)
    }
}
