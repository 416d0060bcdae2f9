// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Brings the entries of one owner of an ordered relationship into another order.
///
/// Destinations that stay in order keep their ranks. The longest such subsequence is kept, so that
/// moving one of many rewrites one entry. Where the ranks between two neighbours have run out, as
/// many entries around them as needed get new ones.
///
/// - Complexity: O(n) where little changed, O(n log n) for a shuffle.
struct SequenceRewrite {
    /// The entries to delete.
    private(set) var deletions: ContiguousArray<RankedLink> = []
    /// The entries to write.
    private(set) var insertions: ContiguousArray<RankedLink> = []

    /// - Parameters:
    ///   - stored: The entries as they are, ascending.
    ///   - target: The destinations as they should be, each once.
    init(stored: ContiguousArray<RankedLink>, target: ContiguousArray<UInt64>) {
        var places = ContiguousArray(target.map { RankedPlace(destination: $0) })
        Self.keepRanks(of: stored, in: &places)
        let kept = places.map(\.storedIndex)
        RankAssignment.fill(&places)
        // A kept entry that had to make room is rewritten like a moved one.
        var isKept = ContiguousArray(repeating: false, count: stored.count)
        for (place, index) in zip(places, kept) {
            if index >= 0, stored[index].rank == place.rank {
                isKept[index] = true
            } else {
                insertions.append(
                    RankedLink(rank: place.rank, destination: place.destination))
            }
        }
        for index in stored.indices where !isKept[index] { deletions.append(stored[index]) }
    }

    /// Gives the places that need not move the ranks of their entries.
    private static func keepRanks(
        of stored: ContiguousArray<RankedLink>, in places: inout ContiguousArray<RankedPlace>
    ) {
        var start = 0
        while start < stored.count, start < places.count,
            stored[start].destination == places[start].destination
        {
            places[start].keep(stored[start], start)
            start += 1
        }
        var storedEnd = stored.count
        var end = places.count
        while storedEnd > start, end > start,
            stored[storedEnd - 1].destination == places[end - 1].destination
        {
            storedEnd -= 1
            end -= 1
            places[end].keep(stored[storedEnd], storedEnd)
        }
        guard start < end, start < storedEnd else { return }
        var indexes: [UInt64: Int] = [:]
        indexes.reserveCapacity(storedEnd - start)
        for index in start..<storedEnd { indexes[stored[index].destination] = index }
        let order = places[start..<end].map { indexes[$0.destination] ?? -1 }
        for offset in longestAscending(order) {
            places[start + offset].keep(stored[order[offset]], order[offset])
        }
    }

    /// The positions of a longest ascending subsequence; negative numbers do not count.
    static func longestAscending(_ numbers: [Int]) -> ContiguousArray<Int> {
        /// For each length the position that ends such a subsequence with the least number.
        var ends: ContiguousArray<Int> = []
        var previous = ContiguousArray(repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() where number >= 0 {
            let isNext = ends.last.map { numbers[$0] < number } ?? true
            let place = isNext ? ends.count : ends.partitioningIndex { numbers[$0] >= number }
            if place > 0 { previous[position] = ends[place - 1] }
            if isNext { ends.append(position) } else { ends[place] = position }
        }
        var result = ContiguousArray(repeating: 0, count: ends.count)
        var position = ends.last ?? -1
        for index in result.indices.reversed() {
            result[index] = position
            position = previous[position]
        }
        return result
    }
}

/// One place of the order that a ``SequenceRewrite`` aims at.
struct RankedPlace {
    let destination: UInt64
    /// 0 as long as there is none.
    var rank: UInt64 = 0
    /// Where the destination is among the stored entries, if it need not move; else -1.
    private(set) var storedIndex = -1

    init(destination: UInt64) {
        self.destination = destination
    }

    mutating func keep(_ link: RankedLink, _ index: Int) {
        rank = link.rank
        storedIndex = index
    }
}
