// SPDX-License-Identifier: Apache-2.0

/// What happened to a component.
public enum ComponentEvent<C: WorldComponent> {
    /// A game object got the component, which is as it is now.
    case added(GameObjectID, C)
    /// A game object's component was written; the value is the present one.
    case changed(GameObjectID, C)
    /// A game object lost the component, whose last value this is.
    case removed(GameObjectID, C)
}

/// The observers of a world in the order of their registration.
final class ObserverList {
    struct Entry {
        let number: Int
        let deliver: (World, _ since: UInt64, _ now: UInt64) -> Void
        var seen: UInt64
    }

    var entries: [Entry] = []
    var next = 0

    /// Whether an observer is registered still.
    func has(_ number: Int) -> Bool { entries.contains { $0.number == number } }
}

/// A registered observer; see ``World/observe(_:_:)``.
public struct ObserverToken: Hashable, Sendable {
    let number: Int
}

extension World {
    /// Calls a closure with what happens to components of a type.
    ///
    /// Observers are called by ``advance()`` and ``deliverEvents()``, on the caller's thread, in
    /// the order of their registration. Each gets removals in the order in which they happened,
    /// then additions, then changes, both in the order of the game objects' IDs. A component that
    /// was added and removed since the last delivery gives a removal alone; one that was added and
    /// then changed an addition alone. Observers may change the world; what they do is told at the
    /// next delivery, and is of the tick that ``advance()`` begins.
    ///
    /// - Parameters:
    ///   - type: The component type.
    ///   - body: The closure.
    /// - Returns: What ``removeObserver(_:)`` takes.
    @discardableResult
    public func observe<C: WorldComponent>(
        _ type: C.Type, _ body: @escaping (World, ComponentEvent<C>) -> Void
    ) -> ObserverToken {
        defer { observers.next += 1 }
        let column = column(type)
        observers.entries.append(
            ObserverList.Entry(
                number: observers.next,
                deliver: { [number = observers.next] world, since, now in
                    world.deliver(column, number, since, now, body)
                },
                seen: step()))
        return ObserverToken(number: observers.next)
    }

    /// Ends the calls of an observer.
    public func removeObserver(_ token: ObserverToken) {
        observers.entries.removeAll { $0.number == token.number }
    }

    /// Tells observers what happened since the last time.
    public func deliverEvents() {
        checkNoLoop("deliverEvents")
        guard !observers.entries.isEmpty else { return }
        // What observers change has a later tick, and is told the next time.
        let now = step()
        for entry in observers.entries {
            guard let index = observers.entries.firstIndex(where: { $0.number == entry.number })
            else { continue }
            observers.entries[index].seen = now
            entry.deliver(self, entry.seen, now)
        }
    }

    private func deliver<C: WorldComponent>(
        _ column: Column, _ number: Int, _ since: UInt64, _ now: UInt64,
        _ body: (World, ComponentEvent<C>) -> Void
    ) {
        let log = column.removals
        let events = (log.firstIndex(after: since)..<log.firstIndex(after: now)).map { index in
            ComponentEvent<C>.removed(
                GameObjectID(entity: entity, row: log.row(index)),
                C.__unpack(log.value(index, C.__Stored.self), column.contents))
        }
        var additions: [GameObjectID] = []
        var changes: [GameObjectID] = []
        for slot in column.usedSlots {
            let chunk = column.slots[slot]
            // Most chunks have not changed, and most words of those that have.
            guard chunk.newestChange > since else { continue }
            for word in 0..<column.layout.words {
                let added =
                    chunk.additions(word, after: since) & ~chunk.additions(word, after: now)
                let changed =
                    chunk.changes(word, after: since) & ~chunk.changes(word, after: now)
                guard added | changed != 0 else { continue }
                let first = slot << column.layout.shift | word << 6
                additions += Bits(added).map { GameObjectID(entity: entity, row: first | $0) }
                changes += Bits(changed & ~added).map {
                    GameObjectID(entity: entity, row: first | $0)
                }
            }
        }
        // Each call may change the world, and take the observer back.
        for event in events where observers.has(number) { body(self, event) }
        for object in additions where observers.has(number) {
            if let value = self[object, C.self] { body(self, .added(object, value)) }
        }
        for object in changes where observers.has(number) {
            if let value = self[object, C.self] { body(self, .changed(object, value)) }
        }
    }
}
