// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Reads all trees of one commit page by page and checks everything that LMDB takes for granted.
final class PageWalker {
    /// What the pages of a tree have to look like.
    struct Tree {
        let name: String
        let record: TreeRecord
        /// Whether its entries are databases, as in the main one.
        var holdsDatabases = false
        /// Whether its entries are lists of free pages.
        var isFreeList = false
        /// Whether it holds the values of one key.
        var isDuplicates = false

        /// How keys are compared, where that is known here.
        var order: PageEntries.Order {
            if record.flags & TreeRecord.reverseKey != 0 { return .unknown }
            return isFreeList || record.flags & TreeRecord.integerKey != 0 ? .integers : .bytes
        }

        /// Whether its leaves are arrays of keys of one size, without entries around them.
        var hasPlainLeaves: Bool {
            isDuplicates && record.flags & TreeRecord.dupFixed != 0
        }
    }

    private let file: PageFile
    private let meta: MetaPage
    /// A bit for each page of the file that was found in use or free.
    private var seen: [UInt64]

    init(_ file: borrowing DataFile, _ meta: MetaPage) throws(LMDBError) {
        self.meta = meta
        self.file = try PageFile(file.path, meta)
        seen = Array(repeating: 0, count: self.file.pageCount / 64 + 1)
    }

    /// - Throws: ``LMDBError`` with `corrupted` for the first thing that is wrong.
    func verify() throws(LMDBError) {
        for (name, record, isFreeList) in [
            ("the free list", meta.freeList, true), ("the list of databases", meta.main, false),
        ] {
            let tree = Tree(
                name: name, record: record, holdsDatabases: !isFreeList, isFreeList: isFreeList)
            try walk(tree)
        }
    }

    /// Checks a tree: depth, pages, entries and how many there are.
    private func walk(_ tree: Tree) throws(LMDBError) {
        let record = tree.record
        guard record.root != .max else {
            guard record.entries == 0 else { throw file.damaged("\(tree.name) has no pages") }
            return
        }
        // LMDB's cursors hold 32 levels.
        guard (1...32).contains(record.depth) else {
            throw file.damaged("\(tree.name) has a depth of \(record.depth)")
        }
        let entries = try walk(record.root, 1, tree)
        // The free list counts otherwise: an entry may be added while it is written.
        guard entries == record.entries || tree.isFreeList else {
            throw file.damaged(
                "\(tree.name) has \(entries) entries instead of \(record.entries)")
        }
    }

    private func walk(
        _ number: UInt64, _ depth: Int, _ tree: Tree
    ) throws(LMDBError) -> UInt64 {
        try use(number, tree.name)
        let isLeaf = depth == tree.record.depth
        let hasPlainEntries = isLeaf && tree.hasPlainLeaves
        let page = PageEntries(try file.page(number))
        let where_ = "page \(number), of \(tree.name),"
        if page.number != number { throw file.damaged("\(where_) says it is \(page.number)") }
        let kind =
            isLeaf
            ? (hasPlainEntries ? PageEntries.plainLeaf : PageEntries.leaf)
            : PageEntries.branch
        guard page.flags == kind else {
            throw file.damaged("\(where_) is of kind \(page.flags) instead of \(kind)")
        }
        if let wrong = page.problem(order: tree.order, plainSize: tree.record.keySize) {
            throw file.damaged("\(where_) \(wrong)")
        }
        guard !hasPlainEntries else { return UInt64(page.count) }
        // A page without entries is deleted, and a branch leads to two pages at least.
        guard page.count > (isLeaf || tree.isFreeList ? 0 : 1) else {
            throw file.damaged("\(where_) has \(page.count) entries")
        }
        var entries: UInt64 = 0
        for index in 0..<page.count {
            entries +=
                isLeaf
                ? try check(page.entry(index), tree, where_)
                : try walk(page.child(index), depth + 1, tree)
        }
        return entries
    }

    /// Checks an entry of a leaf and what it leads to; returns how many values it stands for.
    private func check(
        _ entry: PageEntries.Entry, _ tree: Tree, _ where_: String
    ) throws(LMDBError) -> UInt64 {
        switch entry.content {
        case .value(let bytes):
            if tree.isFreeList { try free(bytes, where_) }
            return 1
        case .pages(let first, let byteCount):
            let count =
                (PageEntries.headerByteCount + byteCount + file.pageSize - 1)
                / file.pageSize
            let head = PageEntries(try file.page(first))
            guard head.number == first, head.flags == PageEntries.overflow,
                head.overflowCount == count
            else { throw file.damaged("\(where_) leads to page \(first), which is no value") }
            for page in 0..<UInt64(count) { try use(first + page, tree.name) }
            if tree.isFreeList { try free(file.bytes(at: first, byteCount)[...], where_) }
            return 1
        case .page(let bytes):
            return try checkSubpage(bytes, tree, where_)
        case .tree(let record):
            guard tree.holdsDatabases || isDuplicated(tree) else {
                throw file.damaged("\(where_) has a tree in an entry")
            }
            let isDatabase = tree.holdsDatabases
            let name = isDatabase ? "database \(entry.keyText)" : "the values in \(tree.name)"
            try walk(Tree(name: name, record: record, isDuplicates: !isDatabase))
            return isDatabase ? 1 : record.entries
        case .broken(let what): throw file.damaged("\(where_) has an entry \(what)")
        }
    }

    private func isDuplicated(_ tree: Tree) -> Bool {
        tree.record.flags & TreeRecord.dupSort != 0 && !tree.isDuplicates
    }

    /// Checks the few values of a key that lie in the entry itself, as a small page.
    private func checkSubpage(
        _ bytes: ArraySlice<UInt8>, _ tree: Tree, _ where_: String
    ) throws(LMDBError) -> UInt64 {
        let isPlain = tree.record.flags & TreeRecord.dupFixed != 0
        let page = PageEntries(Array(bytes))
        let kind = (isPlain ? PageEntries.plainLeaf : PageEntries.leaf) | PageEntries.subpage
        // LMDB leaves the mark of a changed page in these.
        guard isDuplicated(tree), page.flags & ~PageEntries.dirty == kind else {
            throw file.damaged("\(where_) has a page in an entry of kind \(page.flags)")
        }
        let isInteger = tree.record.flags & TreeRecord.integerDup != 0
        let wrong = page.problem(order: isInteger ? .integers : .bytes, plainSize: nil)
        if let wrong { throw file.damaged("\(where_) has a page in an entry that \(wrong)") }
        return UInt64(page.count)
    }

    /// Notes that a page is in use; nothing may use it again.
    private func use(_ number: UInt64, _ name: String) throws(LMDBError) {
        guard number >= 2, number <= meta.lastPage, number < UInt64(file.pageCount) else {
            throw file.damaged("\(name) leads to page \(number), which the file does not have")
        }
        let (word, bit) = (Int(number / 64), UInt64(1) << (number % 64))
        guard seen[word] & bit == 0 else {
            throw file.damaged("\(name) uses page \(number), which is free or used already")
        }
        seen[word] |= bit
    }

    /// Checks a list of free pages: their count, then their numbers, falling.
    private func free(_ list: ArraySlice<UInt8>, _ where_: String) throws(LMDBError) {
        let numbers = PageEntries.numbers(list)
        guard let count = numbers.first, count < UInt64(numbers.count) else {
            throw file.damaged("\(where_) has a list of free pages that is cut")
        }
        var former = UInt64.max
        for number in numbers.dropFirst().prefix(Int(count)) {
            guard number < former, number >= 2, number <= meta.lastPage else {
                throw file.damaged("\(where_) has a list of free pages with \(number)")
            }
            former = number
            if number < UInt64(file.pageCount) { try use(number, "the free list") }
        }
    }
}
