// SPDX-License-Identifier: Apache-2.0

import Traps

/// Commands that a world knows while the program has them.
struct WeakCommands {
    weak var commands: Commands?
}

extension Commands {
    /// Makes the changes in the order of the calls, and empties the list.
    ///
    /// Traps while a loop or a system runs over the world. A closure of ``run(_:)`` may add further
    /// commands to this list, which are applied as well.
    ///
    /// - Complexity: O(number of changes), and O(number of component types) for a despawned object
    public func apply() {
        world.checkNoLoop("applying commands")
        defer { world.sweepContents() }
        while !entries.isEmpty {
            var (entries, values) = (entries, values)
            let closures = closures
            // A sweep may have come since.
            for content in contents { world.keep(content.type, content.key, content.bytes) }
            contents.removeAll()
            self.entries = []
            self.values = []
            self.closures = []
            let keptContents = world.keepsContents
            world.keepsContents = true
            defer { world.keepsContents = keptContents }
            // A closure may apply what it has added, while the list that it is of goes on.
            let (outer, outerCount) = (applied, appliedCount)
            applied = entries
            values.withUnsafeBytes { bytes in
                for (index, entry) in entries.enumerated() {
                    appliedCount = index + 1
                    apply(entry, bytes, closures)
                }
            }
            (applied, appliedCount) = (outer, outerCount)
            if self.entries.isEmpty, outer.isEmpty { (arrived, shared) = ([], []) }
            // The next ones are mostly as many. The memory of very many would lie idle.
            guard self.entries.isEmpty, entries.count <= 1 << 14, values.count <= 1 << 20 else {
                continue
            }
            entries.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
            (self.entries, self.values) = (entries, values)
        }
    }

    private func apply(
        _ entry: Entry, _ values: UnsafeRawBufferPointer,
        _ closures: [@Sendable (World) -> Void]
    ) {
        guard shared.isEmpty || !isShared(entry) else { return }
        switch entry.kind {
        case .spawn:
            let row = entry.object.row
            guard !world.alive.has(row), !arrived.contains(row) else { return }
            _ = world.alive.insert(row, world.now)
        case .despawn:
            if !world.despawn(entry.object) { checkGone(entry.object) }
        case .despawnIfAllowed:
            world.despawn(entry.object)
        case .set, .setIfAlive:
            guard let type = entry.type else { return }
            set(entry, world.columnToChange(type), values)
        case .remove:
            guard let type = entry.type, entry.object.entity == world.entity else { return }
            world.columnToChange(type).remove(entry.object.row, world.now)
        case .run:
            closures[entry.place](world)
        }
    }

    /// Whether an entry is of a game object under whose ID another program has another one.
    private func isShared(_ entry: Entry) -> Bool {
        guard entry.kind != .run, entry.object.entity == world.entity,
            shared.contains(entry.object.row)
        else { return false }
        if entry.kind == .spawn { world.backing?.commandsShareID(ofRow: entry.object.row) }
        return true
    }

    /// Traps for a game object that a relationship keeps in the world.
    private func checkGone(_ object: GameObjectID) {
        guard let link = world.denials(ofDespawning: object).first else { return }
        trap(
            "\(source) despawns \(object), which \(link.kind) of \(link.source) to \(link.target) "
                + "denies; end the relationship, or use despawn(ifAllowed:) if that may happen")
    }

    private func set(_ entry: Entry, _ column: Column, _ values: UnsafeRawBufferPointer) {
        let object = entry.object
        guard world.isAlive(object) else {
            if entry.kind == .setIfAlive || arrived.contains(object.row) { return }
            trap(
                "\(source) sets \(column.type.name) of \(object), which was despawned before the "
                    + "sync point or is of another world; use set(_:ifAlive:) if that may happen")
        }
        let place =
            column.placeToWrite(object.row, world.now) ?? column.insert(object.row, world.now)
        // A tag has no bytes, though Swift counts one for an element of an array of it.
        guard column.layout.stride > 0, let start = values.baseAddress else { return }
        // SAFETY: `keep` put the bytes of a value of the column's type at the entry's place, and
        // the column's place has room for one.
        place.copyMemory(from: start + entry.place, byteCount: column.type.size)
    }
}

extension Commands {
    /// Leaves rows alone that game objects of others have, who have brought them by now.
    fileprivate func leave(_ isTaken: (Int) -> Bool, ofAnotherProgram isShared: Bool) {
        rows.skip(where: isTaken)
        // What has been made is there by this list.
        for entry in applied.dropFirst(appliedCount) + entries
        where entry.kind == .spawn && isTaken(entry.object.row) {
            let row = entry.object.row
            if !isShared {
                arrived.insert(row)
            } else if !arrived.contains(row) {
                shared.insert(row)
            }
        }
    }
}

extension World {
    /// Tells commands from now on of game objects that others bring.
    func tell(_ commands: Commands) {
        spawning.removeAll { $0.commands == nil }
        spawning.append(WeakCommands(commands: commands))
    }

    /// Tells the commands with rows of game objects to come which of these others have taken.
    ///
    /// - Parameters:
    ///   - isShared: Whether another program has brought them into the file, and not changes of a
    ///     copy into this world.
    ///   - isTaken: Whether a row is taken.
    func leaveRows(ofAnotherProgram isShared: Bool, _ isTaken: (Int) -> Bool) {
        for known in spawning { known.commands?.leave(isTaken, ofAnotherProgram: isShared) }
    }

    /// The column of a type that is known by its metatype alone.
    fileprivate func columnToChange(_ type: any StoredComponent.Type) -> Column {
        // SAFETY: the world keeps its columns, and each head has the column that it is part of.
        index.find(type)?.pointee.column?.takeUnretainedValue() ?? storedColumn(type)
    }
}
