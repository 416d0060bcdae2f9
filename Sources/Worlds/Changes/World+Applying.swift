// SPDX-License-Identifier: Apache-2.0

import Contents

/// Why changes cannot be applied, or bytes are none.
public enum WorldChangesError: Error, Hashable, Sendable {
    /// The world has a component of a name with other fields.
    case differentComponent(String)
    /// The bytes are not those of changes.
    case damaged(String)
    /// A relationship forbids them by its rules, or they name game objects where that cannot be
    /// followed.
    case refused(String)
}

extension WorldChangesError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .differentComponent(let what), .refused(let what): what
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
    /// An ID stands for the same game object in both worlds, so this one must not have spawned
    /// others meanwhile: those might have the IDs of new ones there, and be taken for them. In a
    /// file that other programs write, the IDs may be those that one of these has reserved. Then
    /// the first one to save has them, and the save of another one that has spawned game objects
    /// under them throws, whatever its merge policy. If it has brought them by changes as well, its
    /// policy decides, for all that such a game object has at once: it may be an earlier or later
    /// state of the same one.
    ///
    /// A relationship is known by its two game objects. One that this world has made itself is that
    /// of the changes once they bring it, and it ends when they say that it has ended, or has come
    /// and gone, in the other world.
    ///
    /// The rules of relationships hold. What goes takes along what is related to it here by a
    /// cascade; changes that would close a circle in an acyclic kind, or despawn what a
    /// relationship of this world holds, are refused.
    ///
    /// Traps while a query or a system runs over the world.
    ///
    /// - Throws: ``WorldChangesError`` for a component with other fields here, for changes of game
    ///   objects that there are not, and for those that a rule forbids; what reserving IDs in a
    ///   file throws. Nothing is changed then.
    /// - Complexity: O(values of the changes), and what new links of acyclic kinds lead to
    public func apply(_ changes: WorldChanges) throws {
        let objects = changes.parts.first { $0.type.name == World.aliveName }
        guard backing != nil, let objects else { return try takeOver(changes) }
        let came = objects.rows.filter { !alive.has($0) }
        // They may have come and gone in the other world.
        let removed = objects.removed.filter { !alive.has($0) }
        let own = rows.next..<rows.next + rows.left
        try takeOver(changes)
        broughtRows.formUnion(came)
        // Rows that nobody had reserved before are behind the first one that has been since.
        for taken in [came, removed] {
            let others = taken.last { !own.contains($0) && $0 < firstReserved }
            guard let others, others > takenRow else { continue }
            takenRow = others
            changeNote.tell()
        }
    }

    /// Makes changes that this world went through itself, or their reverse.
    ///
    /// - Throws: As ``apply(_:)``.
    package func takeOver(_ changes: WorldChanges) throws {
        checkNoLoop("applying changes")
        // A follower that is not advanced would keep all contents that ever came.
        sweepContents()
        let changes = settlingPairs(changes)
        for part in changes.parts {
            if let column = names[part.type.name], !column.type.isStored(as: part.type) {
                throw WorldChangesError.differentComponent(
                    "the world has \(column.type), and the changes are of \(part.type)")
            }
        }
        try checkContents(changes)
        let plan = ChangePlan(self, changes)
        try checkRows(plan)
        try checkRules(plan)
        try checkReferences(changes)
        try useRows(of: changes)
        skipRowsOfLinks(changes)
        try reserveOwnLinks(changes)
        leaveRows(of: changes)
        // With everything that they have here, which may be more than there.
        for row in plan.gone { takeOut(id(ofRow: row)) }
        for part in changes.parts {
            let column = column(describedBy: part.type)
            for row in part.removed { column.remove(row, now) }
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
    private func checkRows(_ plan: ChangePlan) throws(WorldChangesError) {
        var room = 0
        for part in plan.changes.parts {
            let last = part.lastUsedRow
            let end = part.lastEnd
            room += roomForLists(upTo: last, of: part.type, ends: end)
            guard World.allowsLists(of: room, for: plan.changes.count) else {
                throw .damaged("\(id(ofRow: max(last, end))) is far beyond all others")
            }
            if let index = part.rows.indices.first(where: { !plan.allows(part, $0) }) {
                throw .damaged(
                    "\(part.type.name) of \(id(ofRow: part.rows[index])) needs game objects that "
                        + "there are not")
            }
        }
    }

    /// The memory that a column would need more for its list of chunks, which has also the empty
    /// ones in front of a row, and for the chains of links.
    ///
    /// - Parameters:
    ///   - row: The last row that gets a value.
    ///   - type: The type of the column.
    ///   - ends: The last row of a game object that gets a link.
    package func roomForLists(upTo row: Int, of type: ComponentType, ends: Int = 0) -> Int {
        let column = names[type.name]
        let more = max(0, row >> type.layout.shift + 1 - (column?.slotCount ?? 0))
        let chunks = more * MemoryLayout<Chunk>.stride
        guard let rules = type.kind.rules else { return chunks }
        let links = column?.links ?? LinkTable(isExclusive: rules.isExclusive)
        return chunks + links.room(row, at: ends)
    }

    /// Whether lists may take so much more memory for a number of values.
    ///
    /// What lies far behind all others needs long ones, as in a world that has had very many game
    /// objects; a wrong number must not cost all memory.
    package static func allowsLists(of room: Int, for count: Int) -> Bool {
        room <= 1 << 29 + count << 16
    }

    /// Throws for changes that the rules of a relationship forbid.
    private func checkRules(_ plan: ChangePlan) throws(WorldChangesError) {
        if let link = plan.denial {
            throw .refused(
                "\(link.target) cannot be despawned: \(link.kind) of \(link.source) leads to it "
                    + "and denies that")
        }
        if let circle = plan.circle {
            let part = plan.changes.parts[circle.part]
            let ends = part.ends(at: circle.index)
            throw .refused(
                "\(part.type.name) is acyclic, and \(id(ofRow: ends.target)) would lead to "
                    + "\(id(ofRow: ends.source)), which the changes relate to it")
        }
    }

    /// Throws for IDs that cannot be made those of this world.
    private func checkReferences(_ changes: WorldChanges) throws(WorldChangesError) {
        guard changes.entity != entity else { return }
        for part in changes.parts where part.type.kind.rules == nil {
            let known = names[part.type.name].flatMap { self.swiftType(of: $0) }
            let obstacle = HiddenReferences.obstacle(in: part.values, part.type, known) {
                "\(id(ofRow: part.rows[$0]))"
            }
            if let obstacle { throw .refused(obstacle) }
        }
    }

    /// Changes without the values and links of game objects that there will not be, and without
    /// those that the rules of a relationship forbid.
    ///
    /// Links are ended and made in the rows that the changes name: what others have related
    /// meanwhile has other ones, and stays there.
    package func possible(_ changes: WorldChanges) -> WorldChanges {
        var rest = changes
        for place in rest.parts.indices {
            guard let column = columnOfPairs(rest.parts[place].type) else { continue }
            rest.parts[place] = rest.parts[place].namingRows(of: column)
        }
        while let less = ChangePlan(self, rest).withoutImpossible() { rest = less }
        for place in rest.parts.indices { rest.parts[place].forgetOtherEnds() }
        return rest
    }

    /// The column of a relationship whose links have rows of their own; nil for another one, and
    /// before there is one.
    private func columnOfPairs(_ type: ComponentType) -> Column? {
        names[type.name].flatMap { $0.links?.isExclusive == false ? $0 : nil }
    }

    /// Takes care that no row that the changes use is handed out later.
    ///
    /// What is in this world already has rows that were reserved. So changes of nothing else
    /// reserve none, and can be applied to the world of a file that cannot be written.
    private func useRows(of changes: WorldChanges) throws {
        firstReserved = .max
        let last = changes.parts.lazy.map { self.lastFreeRow($0) }.max() ?? 0
        guard last > 0 else { return }
        let former = rows.next
        try backing?.reserveRows(upTo: last)
        if rows.next != former { firstReserved = rows.next }
        rows.skip(upTo: last)
    }

    /// The last row that a part uses and that might be handed out; 0 for none.
    private func lastFreeRow(_ part: WorldChanges.Part) -> Int {
        let end = rows.next + rows.left
        let owners = part.type.kind.hasRowsOfObjects ? alive : names[part.type.name]
        func isFree(_ row: Int) -> Bool { row < end || owners?.has(row) != true }
        // A game object may have come and gone between two states.
        let gone = part.type.name == World.aliveName ? part.removed.last(where: isFree) : nil
        return max(part.rows.last(where: isFree) ?? 0, gone ?? 0)
    }

    /// Takes care that no row of a game object that comes, or came and went, is handed out by
    /// commands later.
    private func leaveRows(of changes: WorldChanges) {
        guard !spawning.isEmpty,
            let part = changes.parts.first(where: { $0.type.name == World.aliveName })
        else { return }
        let rows = Set((part.rows + part.removed).filter { !alive.has($0) })
        if !rows.isEmpty { leaveRows(ofAnotherProgram: false) { rows.contains($0) } }
    }

    /// Takes care that new links do not get rows that links of the changes have or had.
    private func skipRowsOfLinks(_ changes: WorldChanges) {
        for part in changes.parts {
            let last = max(part.rows.last ?? 0, part.removed.last ?? 0)
            names[part.type.name]?.links?.skipRows(upTo: last)
        }
    }

    /// Takes rows for the links of this world whose rows the changes take.
    private func reserveOwnLinks(_ changes: WorldChanges) throws {
        for part in changes.parts {
            guard let column = columnOfPairs(part.type) else { continue }
            let count = column.ownLinks(part).count
            if count > 0 { try reserveLinks(count, column) }
        }
    }

    /// Changes that end the links of the pairs that have ended, whatever rows these have here, and
    /// no others.
    private func settlingPairs(_ changes: WorldChanges) -> WorldChanges {
        var rest = changes
        for place in rest.parts.indices {
            guard let column = columnOfPairs(rest.parts[place].type) else { continue }
            rest.parts[place].settleRemovals(of: column)
        }
        return rest
    }

    private func set(_ part: WorldChanges.Part, _ column: Column, _ entity: UInt16) {
        let stride = column.layout.stride
        if let contents = column.contents { return set(part, column, contents, entity) }
        let references = entity == self.entity ? [] : part.type.references
        let own = column.ownLinks(part)
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
                column.endDouble(of: row, UnsafeRawPointer(start), part, now)
                // What it was related to may have gone.
                let kept = own[row].flatMap { column.hasLink(row, $0) ? $0 : nil }
                column.set(row, UnsafeRawPointer(start), now)
                if let kept { keep(kept, column) }
            }
        }
    }
}

extension World {
    /// Relates again what a link of the changes has taken the row of.
    private func keep(_ own: LinkTable.Ends, _ column: Column) {
        guard column.link(own.source, own.target) == nil else { return }
        column.addLink(id(ofRow: own.source), id(ofRow: own.target), self)
    }

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

extension WorldChanges.Part {
    /// The last row that must not be handed out any more, by what the part says.
    fileprivate var lastUsedRow: Int {
        // A game object may have come and gone between two states.
        let gone = type.name == World.aliveName ? removed.last : nil
        return max(rows.last ?? 0, gone ?? 0)
    }

    /// The last row of a game object at an end of a link.
    fileprivate var lastEnd: Int {
        guard type.kind.rules != nil else { return 0 }
        return rows.indices.reduce(0) {
            let ends = ends(at: $1)
            return max($0, ends.source, ends.target)
        }
    }
}

extension Column {
    /// Ends the link that this world has of a pair which changes bring in another row.
    ///
    /// So it has the row that it has in the other world, which names it when it ends. A pair is
    /// related once; but files of earlier versions may have one twice.
    fileprivate func endDouble(
        of row: Int, _ value: UnsafeRawPointer, _ part: WorldChanges.Part, _ tick: UInt64
    ) {
        guard let links, !links.isExclusive else { return }
        let ends = LinkTable.Ends(value)
        guard let other = link(ends.source, ends.target, otherThan: row),
            !part.brings(ends, in: other)
        else { return }
        remove(other, tick)
    }

    /// Gives a row a value, unless it has the same one.
    fileprivate func set(_ row: Int, _ value: UnsafeRawPointer, _ tick: UInt64) {
        if let old = place(of: row) {
            let new = UnsafeRawBufferPointer(start: value, count: layout.stride)
            let same = UnsafeRawBufferPointer(start: old, count: layout.stride)
            if same.elementsEqual(new) || gaps?.isSame(old, value) == true { return }
            // Links are removed and made, so that the chains follow.
            if links != nil { remove(row, tick) }
        }
        let room = placeToWrite(row, tick) ?? insert(row, tick)
        room.copyMemory(from: value, byteCount: layout.stride)
        links?.add(row, LinkTable.Ends(value))
    }
}
