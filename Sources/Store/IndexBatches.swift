// SPDX-License-Identifier: Apache-2.0

/// The changes of all indexes that a save collects.
///
/// A list, as indexes are few. A record has an entry in one index after the other, so the batch
/// that is asked for is mostly the next one.
struct IndexBatches {
    private var batches: ContiguousArray<IndexBatch> = []
    private var last = 0

    /// The batch of an index, which is made when there is none.
    subscript(index: IndexTable) -> IndexBatch {
        mutating get { batches[place(of: index)] }
        _modify {
            let place = place(of: index)
            yield &batches[place]
        }
    }

    /// Hands out the batches, in the order of the indexes' numbers, and forgets them.
    ///
    /// Each one ends before the next one is handed out: a save of many objects has large ones.
    mutating func takeEach(_ body: (inout IndexBatch) throws -> Void) rethrows {
        batches.sort { $0.number > $1.number }
        while var batch = batches.popLast() { try body(&batch) }
        last = 0
    }

    @inline(__always)
    private mutating func place(of index: IndexTable) -> Int {
        let number = index.number.rawValue
        for _ in batches.indices {
            last = last + 1 < batches.count ? last + 1 : 0
            if batches[last].number == number { return last }
        }
        last = batches.count
        batches.append(IndexBatch(index))
        return last
    }
}
