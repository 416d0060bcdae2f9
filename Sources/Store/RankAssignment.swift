// SPDX-License-Identifier: Apache-2.0

import RecordFormat

/// Gives ranks to the places of an order that have none.
///
/// New places share the room between their neighbours evenly. Where there is too little, neighbours
/// on both sides are included, twice as many each time, until all are at least ``leastGap`` apart.
/// A gap that wide takes at least 16 insertions to fill up, so the cost of moving neighbours is
/// spread over many insertions.
enum RankAssignment {
    /// The distance that new ranks are given where neighbours have to move for them.
    static let leastGap: UInt64 = 1 << 16

    static func fill(_ places: inout ContiguousArray<RankedPlace>) {
        var start = 0
        while start < places.count {
            guard places[start].rank == 0 else {
                start += 1
                continue
            }
            var end = start + 1
            while end < places.count, places[end].rank == 0 { end += 1 }
            start = fill(&places, start, end)
        }
    }

    /// Gives ranks to a run; returns the place after the last one that got a rank.
    private static func fill(
        _ places: inout ContiguousArray<RankedPlace>, _ start: Int, _ end: Int
    ) -> Int {
        var start = start
        var end = end
        var needed: UInt64 = 1
        while true {
            let (lower, upper) = bounds(places, start, end)
            let step = (upper - lower) / UInt64(end - start + 1)
            if step >= needed || (start == 0 && end == places.count) {
                var rank = lower
                for index in start..<end {
                    rank += step
                    places[index].rank = rank
                }
                return end
            }
            needed = leastGap
            let count = end - start
            start = max(0, start - count)
            end = min(places.count, end + count)
            while end < places.count, places[end].rank == 0 { end += 1 }
        }
    }

    /// The ranks around a run: those of its neighbours, or at an end as far away as it needs.
    private static func bounds(
        _ places: ContiguousArray<RankedPlace>, _ start: Int, _ end: Int
    ) -> (UInt64, UInt64) {
        let wanted = RankedLink.gap.multipliedReportingOverflow(by: UInt64(end - start + 1))
        let room = wanted.overflow ? UInt64.max : wanted.partialValue
        switch (start > 0, end < places.count) {
        case (true, true): return (places[start - 1].rank, places[end].rank)
        case (true, false):
            let lower = places[start - 1].rank
            return (lower, lower + min(room, UInt64.max - lower))
        case (false, true):
            let upper = places[end].rank
            return (upper - min(room, upper), upper)
        case (false, false):
            let lower = RankedLink.firstRank - RankedLink.gap
            return (lower, lower + min(room, UInt64.max - lower))
        }
    }
}
