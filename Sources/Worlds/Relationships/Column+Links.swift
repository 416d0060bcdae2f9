// SPDX-License-Identifier: Apache-2.0

import Traps

/// The links of a column of links.
extension Column {
    /// The chains of the column; traps for a column of components.
    var linkTable: LinkTable {
        guard let links else { trap("\(type.name) is not a relationship") }
        return links
    }

    /// What a program calls the type of the values.
    var swiftName: String {
        switch type.kind {
        case .component: type.name
        case .relationship: "Link<\(type.name)>"
        case .resource: "Resource<\(type.name.dropFirst(World.resourcePrefix.count))>"
        }
    }

    /// The ends of a link that there is.
    func ends(of link: Int) -> LinkTable.Ends {
        guard let place = place(of: link) else { trap("\(type.name) has no link \(link)") }
        return LinkTable.Ends(place)
    }

    /// The ends of all links, in the order of their rows.
    func linkEnds() -> [LinkTable.Ends] {
        var result: [LinkTable.Ends] = []
        result.reserveCapacity(count)
        forEachValue { result.append(LinkTable.Ends($1)) }
        return result
    }

    /// Calls a body with each row that has a value, and the value's place.
    func forEachValue(_ body: (Int, UnsafeRawPointer) -> Void) {
        for slot in usedSlots {
            let view = ChunkView(bytes(of: slot), layout)
            for word in 0..<layout.words {
                for bit in Bits(view.presence(word)) {
                    let row = word << 6 | bit
                    if let value = view.value(row) { body(slot << layout.shift | row, value) }
                }
            }
        }
    }

    /// The rows of the links that lead from a game object.
    func links(from source: Int) -> [Int] {
        guard linkTable.isExclusive else { return linkTable.bySource.links(of: source) }
        return has(source) ? [source] : []
    }

    /// The rows of the links that lead to a game object.
    func links(to target: Int) -> [Int] { linkTable.byTarget.links(of: target) }

    /// The rows of a game object's targets, ascending.
    func targets(of source: Int) -> [Int] {
        links(from: source).map { ends(of: $0).target }.sortedOnce()
    }

    /// The rows of a game object's sources, ascending.
    func sources(of target: Int) -> [Int] {
        links(to: target).map { ends(of: $0).source }.sortedOnce()
    }

    /// The link from one game object to another one; nil for none.
    ///
    /// - Complexity: O(links of the one that has fewer)
    @usableFromInline
    func link(_ source: Int, _ target: Int) -> Int? { link(source, target, otherThan: 0) }

    /// The same, another one than that of a row: two programs may have related the same pair.
    func link(_ source: Int, _ target: Int, otherThan row: Int) -> Int? {
        let ends = LinkTable.Ends(source, target)
        if linkTable.isExclusive {
            return has(source) && self.ends(of: source) == ends ? source : nil
        }
        var leaving = linkTable.bySource.first(of: source)
        var coming = linkTable.byTarget.first(of: target)
        // Side by side, as either may have very many.
        while leaving != 0, coming != 0 {
            if leaving != row, self.ends(of: leaving) == ends { return leaving }
            if coming != row, self.ends(of: coming) == ends { return coming }
            leaving = linkTable.bySource.after(leaving)
            coming = linkTable.byTarget.after(coming)
        }
        return nil
    }

    /// Makes a link, which there must not be, and removes the former one of an exclusive source.
    func addLink(_ source: GameObjectID, _ target: GameObjectID, _ world: World) {
        if linkTable.isExclusive { remove(source.row, world.now) }
        let row = linkTable.isExclusive ? source.row : linkTable.takeRow(self, from: world)
        let place = insert(row, world.now)
        // SAFETY: the column's values are links: two IDs of 8 bytes each.
        place.storeBytes(of: source, as: GameObjectID.self)
        place.storeBytes(of: target, toByteOffset: 8, as: GameObjectID.self)
        linkTable.add(row, LinkTable.Ends(source.row, target.row))
    }

    /// Whether the values are links.
    package var isOfLinks: Bool { links != nil }

    /// Whether the values are links that have rows of their own, each known by its pair.
    package var hasRowsOfLinks: Bool { links?.isExclusive == false }

    /// The rows of the links from and to a game object.
    package func linksOfEnd(_ row: Int) -> [Int] { links(from: row) + links(to: row) }

    /// The rows of a chunk whose links are other ones in other bytes than in the file, and lead
    /// from or to game objects of some rows there.
    package func rows(
        of chunk: Int, changedIn bytes: UnsafeRawBufferPointer?, leadingTo objects: Set<Int>
    ) -> [Int] {
        let view = ChunkView(bytes, layout)
        return rows(of: chunk, changedIn: bytes).filter { row in
            guard let value = view.value(row & (layout.rows - 1)) else { return false }
            let ends = LinkTable.Ends(value)
            return objects.contains(ends.source) || objects.contains(ends.target)
        }
    }

    /// The target of a row's link in bytes of its chunk; nil where it has none there.
    package func target(ofLink row: Int, in bytes: UnsafeRawBufferPointer?) -> Int? {
        let view = ChunkView(bytes, layout)
        let local = row & (layout.rows - 1)
        guard view.has(local), let value = view.value(local) else { return nil }
        return LinkTable.Ends(value).target
    }

    /// Ends links that are not saved yet, and that others have made as well.
    package func endDoubleLinks(_ tick: UInt64) {
        guard let links, !links.isExclusive else { return }
        for chunk in dirtyChunks {
            for row in rows(of: chunk, changedIn: bytes(of: chunk)) {
                let ends = ends(of: row)
                if link(ends.source, ends.target, otherThan: row) != nil { remove(row, tick) }
            }
        }
    }

    /// Whether following targets leads from one game object to another one.
    func leads(from source: Int, to other: Int) -> Bool {
        var waiting = [source]
        var known: Set<Int> = []
        while let row = waiting.popLast() {
            if row == other { return true }
            if known.insert(row).inserted { waiting += targets(of: row) }
        }
        return false
    }

    /// All related game objects, each behind its targets; those in circles as a search meets them.
    func targetsFirst(from roots: [Int]) -> [Int] {
        var missing: [Int: Int] = [:]
        var result = roots
        var next = 0
        while next < result.count {
            for source in sources(of: result[next]) {
                let rest = (missing[source] ?? targets(of: source).count) - 1
                missing[source] = rest
                if rest == 0 { result.append(source) }
            }
            next += 1
        }
        let placed = Set(result)
        return result + breadthFirst(from: roots).filter { !placed.contains($0) }
    }

    /// Game objects and the sources that lead to them, level by level, each once.
    func breadthFirst(from roots: [Int]) -> [Int] {
        var result: [Int] = []
        var known: Set<Int> = []
        for root in roots where known.insert(root).inserted { result.append(root) }
        var next = 0
        while next < result.count {
            for source in sources(of: result[next]) where known.insert(source).inserted {
                result.append(source)
            }
            next += 1
        }
        return result
    }
}

/// Keeping the chains in step with chunks that are replaced as a whole.
extension Column {
    /// Takes the links out of the chains that other bytes of a chunk do not have.
    ///
    /// - Returns: The rows whose links have to be put in again afterwards.
    func removeLinks(_ chunk: Int, differingIn new: ChunkView) -> [Int] {
        guard let links else { return [] }
        let old = ChunkView(bytes(of: chunk), layout)
        var rows: [Int] = []
        for word in 0..<layout.words {
            let other = old.presence(word) ^ new.presence(word) | old.differences(new, word)
            for bit in Bits(other) {
                let row = word << 6 | bit
                rows.append(chunk << layout.shift | row)
                guard old.has(row), let value = old.value(row) else { continue }
                links.remove(chunk << layout.shift | row, LinkTable.Ends(value))
            }
        }
        return rows
    }

    /// Puts links into the chains that replaced bytes have.
    func addLinks(_ rows: [Int]) {
        guard let links else { return }
        for row in rows where has(row) { links.add(row, ends(of: row)) }
    }
}
