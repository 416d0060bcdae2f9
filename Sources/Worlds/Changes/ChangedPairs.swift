// SPDX-License-Identifier: Apache-2.0

/// Changes of links that have rows of their own, told by the pairs that they relate.
///
/// Copies take rows for their links by themselves. So a pair may have another row here than in the
/// world that the changes are of, and a row another pair.
extension WorldChanges.Part {
    /// The pairs that are related.
    var broughtPairs: Set<LinkTable.Ends> { Set(rows.indices.map { ends(at: $0) }) }

    /// The pairs that are not related any more.
    ///
    /// Changes bring a pair that has ended in one row and is related by another one.
    var endedPairs: Set<LinkTable.Ends> {
        guard !removedEnds.isEmpty else { return [] }
        return Set(removedEnds.values.joined()).subtracting(broughtPairs)
    }

    /// Whether a row gets the link of a pair.
    func brings(_ ends: LinkTable.Ends, in row: Int) -> Bool {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < row { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low] == row && self.ends(at: low) == ends
    }

    /// Has a column lose the links of the pairs that have ended, whatever rows these have there,
    /// and no others: a removed row may have a link that was made there.
    mutating func settleRemovals(of column: Column) {
        spareOtherLinks(of: column)
        var removed = Set(removed)
        for pair in endedPairs { removed.formUnion(column.links(pair)) }
        guard removed.count > self.removed.count else { return }
        // What gets another link anyway is replaced.
        self.removed = removed.subtracting(rows).sorted()
    }

    /// The part for a column in which links are ended and made in their rows alone.
    func namingRows(of column: Column) -> WorldChanges.Part {
        let present = namingPresentRows(column.linkTable)
        var rest = present.keeping { index in
            let ends = present.ends(at: index)
            return column.link(ends.source, ends.target, otherThan: present.rows[index])
                .map { present.brings(ends, in: $0) } ?? true
        }
        rest.spareOtherLinks(of: column)
        for (row, pairs) in present.removedEnds {
            rest.removedEnds[row] = pairs.filter { column.hasLink(row, $0) }
        }
        return rest
    }

    /// The part with the rows that links have got since, in place of their former ones.
    private func namingPresentRows(_ links: LinkTable) -> WorldChanges.Part {
        var rest = WorldChanges.Part(type: type, contents: contents)
        var removed = Set(removed)
        for (row, pairs) in removedEnds {
            for pair in pairs {
                let present = links.presentRow(row, pair)
                rest.removedEnds[present, default: []].append(pair)
                if present != row { removed.insert(present) }
            }
        }
        // What has a moved link's row now is not meant.
        for row in removedEnds.keys where rest.removedEnds[row] == nil { removed.remove(row) }
        let order = rows.indices.map { (row: links.presentRow(rows[$0], ends(at: $0)), index: $0) }
            .sorted { $0.row < $1.row }
        for (row, index) in order {
            rest.rows.append(row)
            rest.values += values[index * type.stride..<(index + 1) * type.stride]
        }
        rest.removed = removed.subtracting(rest.rows).sorted()
        return rest
    }

    /// Forgets which links have ended in rows that the part does not change.
    mutating func forgetOtherEnds() {
        guard !removedEnds.isEmpty else { return }
        let changed = Set(removed).union(rows)
        removedEnds = removedEnds.filter { changed.contains($0.key) && !$0.value.isEmpty }
    }

    private mutating func spareOtherLinks(of column: Column) {
        removed.removeAll { row in
            guard let ends = removedEnds[row], column.has(row) else { return false }
            return !ends.contains(column.ends(of: row))
        }
    }

    /// Adds links that there are, and that the part does not have.
    mutating func add(_ links: Set<Int>, of column: Column) {
        guard !links.isEmpty else { return }
        let (old, oldValues) = (rows, values)
        rows = (rows + links).sorted()
        values = []
        var next = 0
        for row in rows {
            if next < old.count, old[next] == row {
                values += oldValues[next * type.stride..<(next + 1) * type.stride]
                next += 1
            } else if let value = column.place(of: row) {
                values += UnsafeRawBufferPointer(start: value, count: type.stride)
            }
        }
    }
}

extension Column {
    /// The links that this world has made itself in rows that changes take; they get other rows.
    ///
    /// Not those whose pairs the changes bring in another row, or end.
    func ownLinks(_ part: WorldChanges.Part) -> [Int: LinkTable.Ends] {
        guard let links, !links.isExclusive, count > 0 else { return [:] }
        var own: [Int: LinkTable.Ends] = [:]
        for (index, row) in part.rows.enumerated() {
            guard let value = place(of: row) else { continue }
            let ends = LinkTable.Ends(value)
            if ends != part.ends(at: index) { own[row] = ends }
        }
        guard !own.isEmpty else { return own }
        let settled = part.broughtPairs.union(part.removedEnds.values.joined())
        return own.filter { !settled.contains($0.value) }
    }

    /// The rows of the links of a pair: files of earlier versions may have several.
    func links(_ pair: LinkTable.Ends) -> [Int] {
        var leaving = linkTable.bySource.first(of: pair.source)
        var coming = linkTable.byTarget.first(of: pair.target)
        var (found, others): ([Int], [Int]) = ([], [])
        // Side by side, as either may have very many; each of both finds all.
        while leaving != 0, coming != 0 {
            if ends(of: leaving) == pair { found.append(leaving) }
            if ends(of: coming) == pair { others.append(coming) }
            leaving = linkTable.bySource.after(leaving)
            coming = linkTable.byTarget.after(coming)
        }
        return leaving == 0 ? found : others
    }

    /// Adds the links of pairs that have ended in one row and are related by another one.
    func addLivingPairs(to part: inout WorldChanges.Part) {
        guard links?.isExclusive == false else { return }
        var living: Set<Int> = []
        for pair in part.endedPairs { living.formUnion(links(pair)) }
        part.add(living, of: self)
    }
}
