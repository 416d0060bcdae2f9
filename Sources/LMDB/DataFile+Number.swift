// SPDX-License-Identifier: Apache-2.0

/// Whether the headers have the numbers that they were written with.
///
/// A changed number may make an old commit look like the newest, although every page is intact. But
/// each commit replaces at least the root of the main database, and lists the pages that it freed
/// under its own number: so the free list has the number, too.
extension DataFile {
    /// Checks the number of the newest commit, whose pages were found in order.
    ///
    /// - Throws: ``LMDBError`` with `corrupted`.
    func checkNumber(of meta: MetaPage) throws(LMDBError) {
        let number = meta.transactionID
        // The first commit of a file, and of a compacted copy, frees nothing.
        let freeing = newestFreeing(in: meta) ?? 1
        guard freeing == number else {
            throw damaged(
                "its header says that the newest commit is number \(number), its free pages say "
                    + "\(freeing)")
        }
        try checkNumberOfOther(than: meta)
    }

    /// Checks a file whose headers say that nothing was ever committed.
    func checkThatNothingWasCommitted() throws(LMDBError) {
        let first = try meta(at: 0)
        let second = try meta(at: first.pageSizeBytes)
        // The first commit may be under way just now.
        guard second.transactionID == 0, second.main.root != PageLayout.noPage else { return }
        throw damaged("the header of its first commit has no number")
    }

    /// Looks for a newer commit behind the other header, which must have lost its number then.
    private func checkNumberOfOther(than newest: MetaPage) throws(LMDBError) {
        let isFirst = newest.transactionID & 1 == 0
        let other = try meta(at: isFirst ? newest.pageSizeBytes : 0)
        let next = newest.transactionID &+ 1
        guard other.transactionID != next, newestFreeing(in: other) == next else { return }
        // After lost writes its pages may have been reused by later commits and not fit together.
        do throws(LMDBError) {
            try PageWalker(self, other.numbered(next)).verify()
        } catch {
            return
        }
        throw damaged(
            "the header of commit \(next) has the number \(other.transactionID), and the commit "
                + "before it would be shown")
    }

    private func damaged(_ what: String) -> LMDBError {
        LMDBError(
            code: .corrupted, path: path,
            message: "The file is damaged: \(what). Restore a backup, or rebuild it from an export."
        )
    }
}
