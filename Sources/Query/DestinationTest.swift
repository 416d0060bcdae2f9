// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Synchronization

/// A condition on objects at the other end of a relationship, which remembers what it answered.
final class DestinationTest: Sendable {
    /// By entity ordinal; `nil` for entities that the relationship cannot lead to.
    private let targets: ContiguousArray<(any FilterNode)?>
    /// The answer where there is no object.
    let nullResult: Bool
    // A filter may be used from several threads; mostly it is not, and a lock that nobody holds
    // takes a small part of the look-up that it saves.
    private let memo = Mutex(AnswerMemo())

    init(_ targets: ContiguousArray<(any FilterNode)?>, nullResult: Bool) {
        self.targets = targets
        self.nullResult = nullResult
    }

    /// Whether an object satisfies the condition.
    func holds(for key: ObjectKey, _ snapshot: StoreSnapshot) throws -> Bool {
        let state = snapshot.transactionID
        if let known = memo.withLock({ $0.answer(key, state) }) { return known }
        let answer = try look(at: key, snapshot)
        memo.withLock { if $0.answer(key, state) == nil { $0.note(key, answer) } }
        return answer
    }

    private func look(at key: ObjectKey, _ snapshot: StoreSnapshot) throws -> Bool {
        guard let ordinal = snapshot.store.ordinal(of: key.entity),
            let target = targets[ordinal], let record = try snapshot.record(for: key)
        else { return nullResult }
        return try target.matches(FilterRow(key: key, record: record, snapshot: snapshot))
    }
}

extension Store {
    /// The nodes for each entity that a relationship can lead to, by ordinal.
    ///
    /// - Parameter node: Makes the node for an entity; nil when it has none.
    /// - Returns: `nil` if an entity has no node.
    func targets<Failure: Error>(
        of relationship: Relationship,
        _ node: (EntityTable) throws(Failure) -> (any FilterNode)?
    ) throws(Failure) -> ContiguousArray<(any FilterNode)?>? {
        var targets: ContiguousArray<(any FilterNode)?> = ContiguousArray(
            repeating: nil, count: tables.count)
        for ordinal in schema.ordinals(kindOf: relationship.destination) {
            guard let found = try node(tables[ordinal]) else { return nil }
            targets[ordinal] = found
        }
        return targets
    }
}
