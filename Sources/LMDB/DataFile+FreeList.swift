// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Reads the free list of a file without a map, to distinguish a short file from a truncated one.
extension DataFile {
    /// Counts the free pages from a page on; nil where the free list cannot be read.
    ///
    /// - Complexity: O(size of the file)
    func freePages(from firstPage: UInt64, in meta: MetaPage) -> UInt64? {
        guard meta.freeListRoot != PageLayout.noPage else { return 0 }
        guard var budget = try? byteCount() else { return nil }
        var free: Set<UInt64> = []
        var pending = [meta.freeListRoot]
        var visited: Set<UInt64> = []
        while let page = pending.popLast() {
            guard visited.insert(page).inserted, let bytes = read(page: page, meta: meta),
                let node = TreePage(bytes)
            else { return nil }
            for index in 0..<node.count {
                if node.isBranch {
                    guard let child = node.child(index) else { return nil }
                    pending.append(child)
                } else {
                    guard let list = list(node, index, meta, &budget) else { return nil }
                    // Page 0 is a header: it cannot be free.
                    for page in list where page >= firstPage && page <= meta.lastPage {
                        free.insert(page)
                    }
                }
            }
        }
        return UInt64(free.count)
    }

    /// The page numbers of one entry of the free list, after the count in front.
    ///
    /// - Parameter budget: The bytes that entries may still take: each has its own in the file. If
    ///   entries could share bytes, a few bytes could make this read any number of them.
    private func list(
        _ node: TreePage, _ index: Int, _ meta: MetaPage, _ budget: inout Int
    ) -> [UInt64]? {
        guard let value = node.value(index) else { return nil }
        let pages = PageLayout.pageCount(value.byteCount, pageSize: meta.pageSizeBytes)
        budget -= value.overflowPage == nil ? value.byteCount : pages * meta.pageSizeBytes
        guard budget >= 0 else { return nil }
        var bytes = value.inline
        if let overflow = value.overflowPage {
            guard let read = read(page: overflow, count: pages, meta: meta) else { return nil }
            bytes = read.dropFirst(PageLayout.Header.byteCount).prefix(value.byteCount)
        }
        return bytes.withUnsafeBytes { raw in
            guard raw.count >= 8, raw.count % 8 == 0 else { return nil }
            let count = raw.loadUnaligned(as: UInt64.self)
            guard count <= UInt64(raw.count / 8 - 1) else { return nil }
            return (0..<Int(count)).map {
                raw.loadUnaligned(fromByteOffset: 8 + 8 * $0, as: UInt64.self)
            }
        }
    }

    /// The newest transaction whose freed pages a commit lists; nil where there is none, or the
    /// list cannot be read.
    func newestFreeing(in meta: MetaPage) -> UInt64? {
        var number = meta.freeListRoot
        // Deeper than LMDB's cursors go, as in a circle of damaged pages.
        for _ in 0..<PageLayout.mostLevels where number != PageLayout.noPage {
            guard let bytes = read(page: number, meta: meta), let page = TreePage(bytes),
                page.count > 0
            else { return nil }
            guard page.isBranch else { return page.integerKey(page.count - 1) }
            guard let child = page.child(page.count - 1) else { return nil }
            number = child
        }
        return nil
    }

    private func read(page: UInt64, count: Int = 1, meta: MetaPage) -> [UInt8]? {
        let present = (try? byteCount()) ?? 0
        guard page >= PageLayout.firstPage, page <= meta.lastPage,
            let offset = Int(exactly: page).map({ $0 * meta.pageSizeBytes }),
            count * meta.pageSizeBytes <= present - offset
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count * meta.pageSizeBytes)
        return read(into: &bytes, at: offset) == bytes.count ? bytes : nil
    }
}
