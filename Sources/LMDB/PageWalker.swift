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
        /// The flags of the database whose values of one key it holds; nil for any other tree.
        var database: UInt16?

        /// How keys are compared, where that is known here.
        var order: PageOrder {
            let reverse = TreeRecord.reverseKey
            let flags = database.map { $0 & TreeRecord.reverseDup != 0 ? reverse : record.flags }
            if (flags ?? record.flags) & reverse != 0 { return .unknown }
            return isFreeList || record.flags & TreeRecord.integerKey != 0 ? .integers : .bytes
        }

        /// Whether its leaves are arrays of keys of one size, without entries around them.
        var hasPlainLeaves: Bool { database != nil && record.flags & TreeRecord.dupFixed != 0 }

        /// Whether its keys may have several values.
        var mayHaveDuplicates: Bool { database == nil && record.flags & TreeRecord.dupSort != 0 }
    }

    let file: PageFile
    let meta: MetaPage
    /// The pages that were found in use or free.
    private var seen = PageSet()

    init(_ file: borrowing DataFile, _ meta: MetaPage) throws(LMDBError) {
        self.meta = meta
        self.file = try PageFile(file, meta)
    }

    /// - Throws: ``LMDBError`` with `corrupted` for the first thing that is wrong.
    func verify() throws(LMDBError) {
        guard meta.isUsable else {
            throw file.damaged("the header of transaction \(meta.transactionID) is damaged")
        }
        for (name, record, isFreeList) in [
            ("the free list", meta.freeList, true), ("the list of databases", meta.main, false),
        ] {
            let tree = Tree(
                name: name, record: record, holdsDatabases: !isFreeList, isFreeList: isFreeList)
            try walk(tree)
        }
    }

    /// Checks a tree: flags, depth, pages, entries and how many there are.
    func walk(_ tree: Tree) throws(LMDBError) {
        let record = tree.record
        let expected = tree.database.map { TreeRecord.flagsOfValues($0) }
        guard !record.isContradictory || expected != nil, expected ?? record.flags == record.flags
        else { throw file.damaged("\(tree.name) has the flags \(record.flags)") }
        guard record.root != PageLayout.noPage else {
            // A key whose values are in a tree has some.
            guard record.entries == 0, tree.database == nil else {
                throw file.damaged("\(tree.name) has no pages")
            }
            return
        }
        guard (1...PageLayout.mostLevels).contains(record.depth) else {
            throw file.damaged("\(tree.name) has a depth of \(record.depth)")
        }
        let entries = try walk(record.root, 1, tree, PageEntries.Bounds())
        // The free list counts otherwise: an entry may be added while it is written.
        guard entries == record.entries || tree.isFreeList else {
            throw file.damaged(
                "\(tree.name) has \(entries) entries instead of \(record.entries)")
        }
    }

    private func walk(
        _ number: UInt64, _ depth: Int, _ tree: Tree, _ bounds: PageEntries.Bounds
    ) throws(LMDBError) -> UInt64 {
        try use(number, tree.name)
        let isLeaf = depth == tree.record.depth
        let hasPlainEntries = isLeaf && tree.hasPlainLeaves
        let page = try file.entries(of: number)
        let where_ = "page \(number), of \(tree.name),"
        if page.number != number { throw file.damaged("\(where_) says it is \(page.number)") }
        let kind =
            isLeaf
            ? (hasPlainEntries ? PageLayout.Flags.plainLeaf : PageLayout.Flags.leaf)
            : PageLayout.Flags.branch
        guard page.flags == kind else {
            throw file.damaged("\(where_) is of kind \(page.flags) instead of \(kind)")
        }
        if let wrong = page.problem(form(tree, bounds)) {
            throw file.damaged("\(where_) \(wrong)")
        }
        // A page without entries is deleted, and a branch leads to two pages at least.
        guard page.count > (isLeaf ? 0 : 1) else {
            throw file.damaged("\(where_) has \(page.count) entries")
        }
        guard !hasPlainEntries else { return UInt64(page.count) }
        var entries: UInt64 = 0
        for index in 0..<page.count {
            entries +=
                isLeaf
                ? try check(page.entry(index), tree, where_)
                : try walk(page.child(index), depth + 1, tree, page.bounds(ofChild: index, bounds))
        }
        return entries
    }

    private func form(_ tree: Tree, _ bounds: PageEntries.Bounds) -> PageEntries.Form {
        let plainSize = tree.hasPlainLeaves ? tree.record.keySize : nil
        return PageEntries.Form(
            order: tree.order, plainSize: plainSize,
            keySizes: (tree.database == nil ? 1 : 0)...PageWalker.mostKeyBytes,
            mostBytes: mostEntryBytes, bounds: bounds)
    }

    /// LMDB's limit for keys and for the values of a key.
    static let mostKeyBytes = 511

    /// LMDB gives larger values pages of their own: two entries fit into each page.
    var mostEntryBytes: Int { (file.pageSize - PageLayout.Header.byteCount) / 2 & ~1 - 2 }

    /// Notes that a page is in use; nothing may use it again.
    func use(_ number: UInt64, _ name: String) throws(LMDBError) {
        guard number >= PageLayout.firstPage, number <= meta.lastPage,
            number < UInt64(file.pageCount)
        else {
            throw file.damaged("\(name) leads to page \(number), which the file does not have")
        }
        try note(number, name)
    }

    /// Notes that a page is in use or free; it may lie behind the end of the file if it is free.
    func note(_ number: UInt64, _ name: String) throws(LMDBError) {
        guard seen.insert(number) else {
            throw file.damaged("\(name) uses page \(number), which is free or used already")
        }
    }
}
