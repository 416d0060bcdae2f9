// SPDX-License-Identifier: Apache-2.0

import CLMDB

extension Environment {
    /// Checks every page of the newest commit, without LMDB, which trusts its pages and would
    /// crash on damaged ones.
    ///
    /// Call it before the databases of a file that may be damaged are opened: opening the
    /// environment reads the headers only. What is checked is that each page is the one it says
    /// it is, in use once, of the right kind and depth, with its entries inside and in order,
    /// and that the databases have as many entries as they say. Values are not looked at.
    ///
    /// A read is open meanwhile, which keeps pages that commits of others free.
    ///
    /// - Throws: ``LMDBError`` with `corrupted` and the number of the page, an `errno` value
    ///   where the file cannot be read, or what beginning a read throws.
    /// - Complexity: O(pages in use): it reads the whole file but for its free pages and values
    ///   with pages of their own.
    public func verifyPages() throws {
        try read { transaction in
            let file = try DataFile(path: path)
            guard let meta = try file.meta(ofTransaction: transaction.transactionID) else {
                throw error(.corrupted, "Finding the header of the newest commit")
            }
            // Nothing was ever committed: the headers are all there is.
            guard meta.transactionID > 0 else { return }
            let walker = try PageWalker(file, meta)
            try walker.verify()
        }
        forgetThatItWasLeftOpen()
    }
}

extension DataFile {
    /// The header of a commit; nil where neither page has it.
    func meta(ofTransaction number: UInt64) throws(LMDBError) -> MetaPage? {
        let first = try meta(at: 0)
        if first.transactionID == number { return first }
        let second = try meta(at: first.pageSizeBytes)
        return second.transactionID == number ? second : nil
    }
}
