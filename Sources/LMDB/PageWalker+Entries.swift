// SPDX-License-Identifier: Apache-2.0

extension PageWalker {
    /// Checks an entry of a leaf and what it leads to; returns how many values it stands for.
    func check(
        _ entry: PageEntries.Entry, _ tree: Tree, _ where_: String
    ) throws(LMDBError) -> UInt64 {
        if tree.isFreeList { try checkTransaction(entry.key, where_) }
        switch entry.content {
        case .value(let bytes):
            if tree.isFreeList { try free(bytes, where_) }
            try checkValue(bytes.count, tree, where_)
            return 1
        case .pages(let first, let byteCount):
            guard tree.database == nil, !tree.mayHaveDuplicates else {
                throw file.damaged("\(where_) has a value in pages of its own")
            }
            try useRun(first, byteCount, tree, where_)
            if tree.isFreeList { try free(file.bytes(at: first, byteCount)[...], where_) }
            return 1
        case .page(let bytes): return try checkSubpage(bytes, tree, where_)
        case .database(let record):
            guard tree.holdsDatabases else {
                throw file.damaged("\(where_) has a tree in an entry")
            }
            try walk(Tree(name: "database \(entry.keyText)", record: record))
            return 1
        case .duplicates(let record):
            guard tree.mayHaveDuplicates else {
                throw file.damaged("\(where_) has a tree in an entry")
            }
            let name = "the values in \(tree.name)"
            try walk(Tree(name: name, record: record, database: tree.record.flags))
            return record.entries
        case .broken(let what): throw file.damaged("\(where_) has an entry \(what)")
        }
    }

    /// Checks the size of a value where LMDB compares it with others.
    private func checkValue(
        _ byteCount: Int, _ tree: Tree, _ where_: String
    ) throws(LMDBError) {
        let isNumber = tree.record.flags & TreeRecord.integerDup != 0
        let isRight =
            tree.database != nil
            // The tree's keys are the values: nothing follows them.
            ? byteCount == 0
            : !tree.mayHaveDuplicates
                || (isNumber
                    ? byteCount == PageLayout.numberByteCount
                    : byteCount <= PageWalker.mostKeyBytes)
        guard isRight else { throw file.damaged("\(where_) has a value of \(byteCount) bytes") }
    }

    /// Notes the pages of a large value.
    ///
    /// There may be more than it takes: LMDB leaves it where it is when it is replaced by a smaller
    /// one in the same transaction.
    private func useRun(
        _ first: UInt64, _ byteCount: Int, _ tree: Tree, _ where_: String
    ) throws(LMDBError) {
        let needed = PageLayout.pageCount(byteCount, pageSize: file.pageSize)
        let head = try file.entries(of: first)
        let count = head.overflowCount
        guard head.number == first, head.flags == PageLayout.Flags.overflow, count >= needed
        else {
            throw file.damaged("\(where_) leads to page \(first), which is no value")
        }
        for page in first..<first + UInt64(count) { try use(page, tree.name) }
    }

    /// Checks the few values of a key that lie in the entry itself, as a small page.
    private func checkSubpage(
        _ bytes: ArraySlice<UInt8>, _ tree: Tree, _ where_: String
    ) throws(LMDBError) -> UInt64 {
        let flags = tree.record.flags
        let isPlain = flags & TreeRecord.dupFixed != 0
        let isNumber = flags & TreeRecord.integerDup != 0
        guard let page = PageEntries(Array(bytes)) else {
            throw file.damaged("\(where_) has an entry of \(bytes.count) bytes")
        }
        let kind = isPlain ? PageLayout.Flags.plainLeaf : PageLayout.Flags.leaf
        // LMDB leaves the mark of a changed page in these, and the number of a page, which it takes
        // for that of a root.
        guard tree.mayHaveDuplicates,
            page.flags == kind | PageLayout.Flags.subpage | PageLayout.Flags.dirty,
            page.number >= PageLayout.firstPage, page.number != PageLayout.noPage
        else { throw file.damaged("\(where_) has a page in an entry of kind \(page.flags)") }
        let isReverse = flags & TreeRecord.reverseDup != 0 && !isNumber
        let form = PageEntries.Form(
            order: isReverse ? .unknown : isNumber ? .integers : .bytes,
            plainSize: isNumber ? PageLayout.numberByteCount : nil,
            keySizes: 0...PageWalker.mostKeyBytes,
            mostBytes: mostEntryBytes)
        if let wrong = page.problem(form) {
            throw file.damaged("\(where_) has a page in an entry that \(wrong)")
        }
        guard page.count > 0 else { throw file.damaged("\(where_) has an empty page in an entry") }
        guard !isPlain else { return UInt64(page.count) }
        for index in 0..<page.count {
            guard case .value(let rest) = page.entry(index).content, rest.isEmpty else {
                throw file.damaged("\(where_) has a page in an entry with values")
            }
        }
        return UInt64(page.count)
    }

    /// Checks the key of a list of free pages: the transaction that freed them.
    private func checkTransaction(
        _ key: ArraySlice<UInt8>, _ where_: String
    ) throws(LMDBError) {
        let number = PageOrder.number(key)
        guard number > 0, number <= meta.transactionID else {
            throw file.damaged("\(where_) has free pages of transaction \(number)")
        }
    }

    /// Checks a list of free pages: their count, then their numbers, falling.
    private func free(_ list: ArraySlice<UInt8>, _ where_: String) throws(LMDBError) {
        let numbers = PageEntries.numbers(list)
        guard let count = numbers.first, count < UInt64(numbers.count) else {
            throw file.damaged("\(where_) has a list of free pages that is cut")
        }
        var former = UInt64.max
        for number in numbers.dropFirst().prefix(Int(count)) {
            guard number < former, number >= PageLayout.firstPage, number <= meta.lastPage else {
                throw file.damaged("\(where_) has a list of free pages with \(number)")
            }
            former = number
            try note(number, "the free list")
        }
    }
}

extension PageEntries {
    /// What a child of a branch may hold.
    func bounds(ofChild index: Int, _ own: Bounds) -> Bounds {
        Bounds(
            lower: index > 0 ? key(index) : own.lower,
            upper: index + 1 < count ? key(index + 1) : own.upper)
    }
}
