// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// Objects in order, in pieces: a change in the middle of many moves only one piece.
///
/// A copy shares the pieces until they change.
struct ResultsList {
    private static let pieceSize = 512
    private var pieces: [ContiguousArray<NSManagedObject>] = []
    private(set) var count = 0

    init(_ objects: [NSManagedObject]) {
        count = objects.count
        for start in stride(from: 0, to: count, by: Self.pieceSize) {
            let end = min(start + Self.pieceSize, count)
            pieces.append(ContiguousArray(objects[start..<end]))
        }
    }

    subscript(position: Int) -> NSManagedObject {
        let (piece, offset) = locate(position)
        return pieces[piece][offset]
    }

    /// The objects at positions.
    func objects(in range: Range<Int>) -> [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(range.count)
        guard !range.isEmpty else { return result }
        var (piece, offset) = locate(range.lowerBound)
        while result.count < range.count {
            let end = min(pieces[piece].count, offset + range.count - result.count)
            result += pieces[piece][offset..<end]
            (piece, offset) = (piece + 1, 0)
        }
        return result
    }

    /// The number of leading objects that satisfy a condition, which no object after them does.
    // Once for each kind of order, which a call through a closure would make a tenth slower.
    @inline(__always)
    func position(where isBefore: (NSManagedObject) -> Bool) -> Int {
        let piece = pieces.partitioningIndex { !isBefore($0[$0.count - 1]) }
        guard piece < pieces.count else { return count }
        let before = pieces[..<piece].reduce(0) { $0 + $1.count }
        return before + pieces[piece].partitioningIndex { !isBefore($0) }
    }

    mutating func insert(_ object: NSManagedObject, at position: Int) {
        guard !pieces.isEmpty else { return self = ResultsList([object]) }
        let (piece, offset) = locate(position)
        pieces[piece].insert(object, at: offset)
        count += 1
        if pieces[piece].count > 2 * Self.pieceSize { split(piece) }
    }

    mutating func remove(at position: Int) {
        let (piece, offset) = locate(position)
        pieces[piece].remove(at: offset)
        count -= 1
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    private mutating func split(_ piece: Int) {
        let rest = ContiguousArray(pieces[piece][Self.pieceSize...])
        pieces[piece].removeSubrange(Self.pieceSize...)
        pieces.insert(rest, at: piece + 1)
    }

    /// The piece of a position and the place in it; the end belongs to the last piece.
    private func locate(_ position: Int) -> (piece: Int, offset: Int) {
        require(position >= 0 && position <= count, "no position \(position) of \(count)")
        var rest = position
        for piece in pieces.indices {
            let size = pieces[piece].count
            if rest < size || (piece == pieces.count - 1 && rest == size) { return (piece, rest) }
            rest -= size
        }
        return (0, rest)
    }
}
