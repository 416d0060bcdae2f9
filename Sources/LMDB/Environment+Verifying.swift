// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Environment {
    /// Checks every page of the newest commit, without LMDB, which trusts its pages and would
    /// crash on damaged ones.
    ///
    /// Call it before the databases of a file that may be damaged are opened: opening the
    /// environment reads the headers only. It checks that each page has the number it should have,
    /// is used once, has the right kind and depth, and that its entries lie inside it, do not
    /// overlap and are in order; that the databases have as many entries as they say; and whatever
    /// else LMDB takes for granted. Values are not checked.
    ///
    /// A read is open meanwhile, which keeps pages that commits of others free. Others may go on
    /// writing: one commit is checked.
    ///
    /// - Throws: ``LMDBError`` with `corrupted` and the number of the page, an `errno` value
    ///   where the file cannot be read (`EBUSY` where others commit too fast for the header of one
    ///   commit to be read), or what beginning a read throws.
    /// - Complexity: O(pages in use): it reads the whole file, except free pages and values with
    ///   pages of their own.
    public func verifyPages() throws {
        let file = try DataFile(copying: descriptor, path: path)
        var hasFailed = false
        for _ in 0..<Environment.mostHeaderReads {
            do {
                guard try verifyNewestCommit(file) else { continue }
                return forgetThatItWasLeftOpen()
            } catch let failure as OvertakenFailure {
                // The header may have been read half old and half new. That does not happen twice.
                guard !hasFailed else { throw failure.error }
                hasFailed = true
            }
        }
        throw error(EBUSY, "Finding the header of the newest commit")
    }

    /// How often a header is read again because the next commits have overwritten it.
    private static let mostHeaderReads = 10_000

    /// Something wrong that was found while others committed twice.
    private struct OvertakenFailure: Error {
        let error: LMDBError
    }

    /// - Returns: False where others committed before the header could be read.
    private func verifyNewestCommit(_ file: borrowing DataFile) throws -> Bool {
        try read { transaction in
            let number = transaction.transactionID
            let meta = try file.meta(ofTransaction: number)
            // Headers take turns: the second commit from here writes over this one.
            guard lastTransactionID <= number + 1 else { return false }
            guard let meta else {
                throw error(.corrupted, "Finding the header of the newest commit")
            }
            // Nothing was ever committed: the headers are all there is.
            guard number > 0 else {
                try file.checkThatNothingWasCommitted()
                return true
            }
            do {
                try PageWalker(file, meta).verify()
                try file.checkNumber(of: meta)
            } catch let failure as LMDBError
                where failure.code == .corrupted && lastTransactionID > number + 1
            {
                throw OvertakenFailure(error: failure)
            }
            return true
        }
    }
}

extension DataFile {
    /// The header of a commit, from the page that LMDB takes for it; nil where another is there.
    func meta(ofTransaction number: UInt64) throws(LMDBError) -> MetaPage? {
        let first = try meta(at: 0)
        let found = number & 1 == 0 ? first : try meta(at: first.pageSizeBytes)
        return found.transactionID == number ? found : nil
    }
}
