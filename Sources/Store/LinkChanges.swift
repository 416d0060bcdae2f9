// SPDX-License-Identifier: Apache-2.0

/// Links between game objects that came and went in one transaction.
///
/// A link that is taken back and made again has another row: as far as anyone can tell it stayed.
struct LinkChanges {
    private struct Ends: Hashable {
        let source: UInt64
        let target: UInt64
    }

    private var added: ContiguousArray<Ends> = []
    private var removed: ContiguousArray<Ends> = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    mutating func add(_ source: UInt64, _ target: UInt64) {
        added.append(Ends(source: source, target: target))
    }

    mutating func remove(_ source: UInt64, _ target: UInt64) {
        removed.append(Ends(source: source, target: target))
    }

    /// Hands over what came and what went, without what did both.
    mutating func finish(added rows: inout ComponentRows, removed goneRows: inout ComponentRows) {
        if isEmpty { return }
        if !added.isEmpty && !removed.isEmpty { takeOutReturned() }
        for link in added { rows.addLink(link.source, link.target) }
        for link in removed { goneRows.addLink(link.source, link.target) }
        removeAll()
    }

    private mutating func takeOutReturned() {
        // A file may have a link twice, as two contexts made it.
        var counts: [Ends: Int] = [:]
        for link in removed { counts[link, default: 0] += 1 }
        var returned: [Ends: Int] = [:]
        added.removeAll { link in
            guard let count = counts[link], count > 0 else { return false }
            counts[link] = count - 1
            returned[link, default: 0] += 1
            return true
        }
        removed.removeAll { link in
            guard let count = returned[link], count > 0 else { return false }
            returned[link] = count - 1
            return true
        }
    }

    mutating func removeAll() {
        added.removeAll(keepingCapacity: added.count < 4_096)
        removed.removeAll(keepingCapacity: removed.count < 4_096)
    }
}
