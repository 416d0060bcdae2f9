// SPDX-License-Identifier: Apache-2.0

/// What all queries can do: filter, count, and name the game objects that match.
///
/// Programs do not conform to it; see ``Query``.
public protocol WorldQuery: FilteredQuery {}

/// Answers without a loop.
extension WorldQuery {
    /// The number of game objects that match.
    ///
    /// - Complexity: O(game objects / 64)
    public var count: Int {
        var count = 0
        visitMasks {
            count += $0.nonzeroBitCount; return true
        }
        return count
    }

    /// Whether no game object matches.
    public var isEmpty: Bool {
        var isEmpty = true
        visitMasks {
            isEmpty = $0 == 0; return isEmpty
        }
        return isEmpty
    }

    /// The IDs of the game objects that match, ascending.
    public var objects: [GameObjectID] {
        var result: [GameObjectID] = []
        visitMasks { mask, first in
            for bit in Bits(mask) {
                result.append(GameObjectID(rawValue: first + UInt64(bit)))
            }
            return true
        }
        return result
    }

    /// The first game object that matches; nil for none.
    public var first: GameObjectID? {
        var found: GameObjectID?
        visitMasks { mask, first in
            guard mask != 0 else { return true }
            found = GameObjectID(rawValue: first + UInt64(mask.trailingZeroBitCount))
            return false
        }
        return found
    }

    /// The one game object that matches; nil for none and for several.
    public var single: GameObjectID? { count == 1 ? first : nil }

    private func visitMasks(_ body: (UInt64) -> Bool) { visitMasks { mask, _ in body(mask) } }

    /// Calls a body with each word of matches and the ID of its first row, without marking changes.
    private func visitMasks(_ body: (UInt64, UInt64) -> Bool) {
        let run = QueryRun(__shape, marksChanges: false)
        defer { run.end() }
        while run.nextBlock() {
            for word in 0..<run.words where run.masks[word] != 0 {
                guard body(run.masks[word], run.firstID + UInt64(word << 6)) else { return }
            }
        }
    }
}
