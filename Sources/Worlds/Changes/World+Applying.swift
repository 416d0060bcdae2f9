// SPDX-License-Identifier: Apache-2.0

import Contents

/// Why changes cannot be applied, or bytes are none.
public enum WorldChangesError: Error, Hashable, Sendable {
    /// The world has a component of a name with other fields.
    case differentComponent(String)
    /// The bytes are not those of changes.
    case damaged(String)
}

extension WorldChangesError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .differentComponent(let what): what
        case .damaged(let what): "these are no changes of a world: \(what)"
        }
    }
}

extension World {
    /// Makes the changes that another world went through.
    ///
    /// For a world that is a copy of it, and has all of its earlier changes: game objects come
    /// under the IDs that they have there. Values are set whatever they were here. What is as the
    /// changes say already is not touched, so that applying them again changes nothing.
    ///
    /// Traps while a query or a system runs over the world.
    ///
    /// - Throws: ``WorldChangesError`` for a component with other fields here, and for changes of
    ///   game objects that there are not; what reserving IDs in a file throws. Nothing is changed
    ///   then.
    /// - Complexity: O(values of the changes)
    public func apply(_ changes: WorldChanges) throws {
        checkNoLoop("applying changes")
        for part in changes.parts {
            if let column = names[part.type.name], !column.type.isStored(as: part.type) {
                throw WorldChangesError.differentComponent(
                    "the world has \(column.type), and the changes are of \(part.type)")
            }
        }
        try checkContents(changes)
        try checkRows(changes)
        try useRows(upTo: changes.parts.compactMap(\.rows.last).max() ?? 0)
        for part in changes.parts {
            let column = column(describedBy: part.type)
            for row in part.removed {
                // With everything that it has here, which may be more than there.
                if column === alive, alive.has(row) { takeOut(id(ofRow: row)) }
                column.remove(row, now)
            }
            set(part, column, changes.entity)
        }
    }

    /// Throws for values that the program's types cannot read.
    private func checkContents(_ changes: WorldChanges) throws(WorldChangesError) {
        for part in changes.parts where part.type.isCoded {
            guard let contents = names[part.type.name]?.contents else { continue }
            for (row, key) in zip(part.rows, CodedValues.keys(part.values)) {
                guard let bytes = part.contents[key] else { continue }
                do { try contents.check(key, bytes) } catch {
                    throw .damaged("\(part.type.name) of \(id(ofRow: row)): \(error.text)")
                }
            }
        }
    }

    /// Throws for values and links of game objects that there will not be, and for far rows.
    private func checkRows(_ changes: WorldChanges) throws(WorldChangesError) {
        let objects = ObjectsToBe(self, changes)
        // A chunk is memory for thousands of rows, which a wrong number must not cost.
        let end = rows.next + max(1 << 24, changes.count << 8)
        for part in changes.parts {
            guard part.rows.last ?? 0 < end else {
                throw .damaged("\(id(ofRow: part.rows.last ?? 0)) is far beyond all others")
            }
            if let index = part.rows.indices.first(where: { !objects.allow(part, $0) }) {
                throw .damaged(
                    "\(part.type.name) of \(id(ofRow: part.rows[index])) needs game objects that "
                        + "there are not")
            }
        }
    }

    /// Changes without the values and links of game objects that there will not be.
    package func possible(_ changes: WorldChanges) -> WorldChanges {
        let objects = ObjectsToBe(self, changes)
        var result = WorldChanges(entity: changes.entity)
        for part in changes.parts {
            var rest = WorldChanges.Part(
                type: part.type, removed: part.removed, contents: part.contents)
            for (index, row) in part.rows.enumerated() where objects.allow(part, index) {
                let start = index * part.type.stride
                rest.rows.append(row)
                rest.values += part.values[start..<start + part.type.stride]
            }
            result.add(rest)
        }
        return result
    }

    /// Takes care that no row up to one is handed out later.
    private func useRows(upTo row: Int) throws {
        try backing?.reserveRows(upTo: row)
        rows.skip(upTo: row)
    }

    private func set(_ part: WorldChanges.Part, _ column: Column, _ entity: UInt16) {
        let stride = column.layout.stride
        if let contents = column.contents { return set(part, column, contents, entity) }
        let references = entity == self.entity ? [] : part.type.references
        // One more byte, so that a tag has an address too.
        var value = [UInt8](repeating: 0, count: stride + 1)
        for (index, row) in part.rows.enumerated() {
            value.withUnsafeMutableBytes { room in
                guard let start = room.baseAddress else { return }
                room.copyBytes(from: part.values[index * stride..<(index + 1) * stride])
                for field in references {
                    field.replace(in: start) {
                        $0.entity == entity ? self.id(ofRow: $0.row) : $0
                    }
                }
                if !column.isDouble(row, UnsafeRawPointer(start), part.rows) {
                    column.set(row, UnsafeRawPointer(start), now)
                }
            }
        }
    }
}

extension World {
    private func set(
        _ part: WorldChanges.Part, _ column: Column, _ contents: ContentPool, _ entity: UInt16
    ) {
        for (row, key) in zip(part.rows, CodedValues.keys(part.values)) {
            guard let bytes = part.contents[key] else { continue }
            var new = key
            if entity == self.entity {
                contents.keep(key, bytes, part.type.name)
            } else {
                new = contents.keep(key, bytes, part.type.name) {
                    $0.entity == entity ? self.id(ofRow: $0.row) : $0
                }
            }
            withUnsafeBytes(of: &new) { room in
                if let start = room.baseAddress { column.set(row, start, now) }
            }
        }
    }
}

extension Column {
    /// Whether a value is a link that there is in another row, which stays as it is: others may
    /// have related the same pair meanwhile, and it is related once.
    fileprivate func isDouble(_ row: Int, _ value: UnsafeRawPointer, _ others: [Int]) -> Bool {
        guard let links, !links.isExclusive else { return false }
        let ends = LinkTable.Ends(value)
        return link(ends.source, ends.target, otherThan: row).map { !others.contains($0) } ?? false
    }

    /// Gives a row a value, unless it has the same one.
    fileprivate func set(_ row: Int, _ value: UnsafeRawPointer, _ tick: UInt64) {
        if let old = place(of: row) {
            let new = UnsafeRawBufferPointer(start: value, count: layout.stride)
            let same = UnsafeRawBufferPointer(start: old, count: layout.stride)
            if same.elementsEqual(new) { return }
            // Links are removed and made, so that the chains follow.
            if links != nil { remove(row, tick) }
        }
        let room = placeToWrite(row, tick) ?? insert(row, tick)
        room.copyMemory(from: value, byteCount: layout.stride)
        links?.add(row, LinkTable.Ends(value))
    }
}

/// The game objects that there will be when changes are made.
private struct ObjectsToBe {
    private let world: World
    private let came: Set<Int>
    private let gone: Set<Int>

    init(_ world: World, _ changes: WorldChanges) {
        self.world = world
        let objects = changes.parts.first { $0.type.name == World.aliveName }
        came = Set(objects?.rows ?? [])
        gone = Set(objects?.removed ?? [])
    }

    private func has(_ row: Int) -> Bool {
        came.contains(row) || world.alive.hasValue(row) && !gone.contains(row)
    }

    /// Whether a value of a part is of game objects that there will be.
    func allow(_ part: WorldChanges.Part, _ index: Int) -> Bool {
        let row = part.rows[index]
        if part.type.name == World.aliveName { return row != 0 }
        if let rules = part.type.kind.rules {
            let ends = part.ends(at: index)
            return has(ends.source) && has(ends.target)
                && (ends.source == row || !rules.isExclusive)
        }
        return has(row) || !part.type.kind.hasRowsOfObjects
    }
}

extension WorldChanges.Part {
    /// The ends of a link.
    fileprivate func ends(at index: Int) -> LinkTable.Ends {
        values.withUnsafeBytes { values in
            let place = index * type.stride
            return LinkTable.Ends(
                values.loadUnaligned(fromByteOffset: place, as: GameObjectID.self).row,
                values.loadUnaligned(fromByteOffset: place + 8, as: GameObjectID.self).row)
        }
    }
}
