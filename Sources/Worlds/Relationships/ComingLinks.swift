// SPDX-License-Identifier: Apache-2.0

/// The links that a relationship will have once those that others have saved are taken over.
package struct ComingLinks {
    package let column: Column
    /// By source: the targets that others have related it to.
    private var added: [Int: [Int]] = [:]
    /// The rows of the links that others have ended.
    private var ended: Set<Int> = []

    package init(_ column: Column) { self.column = column }

    /// Adds what others have made of a chunk.
    package mutating func take(_ theirs: UnsafeRawBufferPointer?, ofChunk chunk: Int) {
        let first = chunk << column.layout.shift
        let after = ChunkView(theirs, of: column)
        let changed = column.rows(of: chunk, changedIn: theirs)
        // An unsaved link stays: its row is a conflict, or it gets another one.
        let replaced = column.rows(of: chunk, missingIn: theirs) + changed
        ended.formUnion(replaced.filter(column.isStored))
        for row in changed {
            guard let value = after.value(row - first) else { continue }
            let ends = LinkTable.Ends(value)
            added[ends.source, default: []].append(ends.target)
        }
    }

    /// An unsaved link that will be a part of a circle; nil if there is none.
    ///
    /// - Parameter gone: The rows of game objects that this world or others are about to lose.
    /// - Complexity: O(unsaved links, and what they lead to)
    package func closing(without gone: Set<Int>) -> (source: Int, target: Int)? {
        closing(column.unsavedLinks, without: gone).first.map { ($0.source, $0.target) }
    }

    /// Those of some links that will be parts of circles.
    func closing(_ rows: [Int], without gone: Set<Int>) -> [LinkTable.Ends] {
        let links = rows.map(column.ends)
        let circles = Circles(from: links.map(\.target)) { targets(of: $0, without: gone) }
        return links.filter { circles.has($0) && !gone.contains($0.target) }
    }

    private func targets(of row: Int, without gone: Set<Int>) -> [Int] {
        let kept = column.links(from: row).filter { !ended.contains($0) }
        let targets = kept.map { column.ends(of: $0).target } + (added[row] ?? [])
        return gone.isEmpty ? targets : targets.filter { !gone.contains($0) }
    }
}

/// Circles that this world and others have closed together.
extension Column {
    /// The rows of the links that the file does not have.
    var unsavedLinks: [Int] {
        dirtyChunks.flatMap { rows(of: $0, changedIn: bytes(of: $0)) }
    }

    /// Whether links have to lead nowhere back.
    package var isAcyclic: Bool { type.kind.rules?.isAcyclic == true }

    /// Takes unsaved links back until none of them is a part of a circle.
    ///
    /// An exclusive source gets back what the link took the place of, if that is still there.
    ///
    /// - Parameters:
    ///   - tick: The tick of the changes.
    ///   - world: The column's world.
    ///   - gone: The rows of game objects that it is about to lose.
    /// - Complexity: O(unsaved links in circles x links within their reach)
    package func takeBackCircles(_ tick: UInt64, _ world: World, without gone: Set<Int>) {
        // What an exclusive source gets back in its place may be a part of another circle.
        while true {
            let unsaved = unsavedLinks
            let closing = Set(ComingLinks(self).closing(unsaved, without: gone))
            guard !closing.isEmpty else { return }
            for row in unsaved {
                let ends = ends(of: row)
                guard closing.contains(ends), leads(from: ends.target, to: ends.source) else {
                    continue
                }
                takeBack(row, tick)
                guard has(row) else { continue }
                let target = self.ends(of: row).target
                if !world.alive.has(target) || gone.contains(target) { forget(row) }
            }
        }
    }
}
