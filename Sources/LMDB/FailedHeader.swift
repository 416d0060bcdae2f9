// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Headers that could not be written, as on a full disk, and that may be in the file all the same.
///
/// LMDB writes the header of commit N over that of N - 2. If the system reports an error, it puts
/// the former number back, and refuses all transactions from then on.
///
/// That may fail as well, after the system has taken the new header. Then commit N is the newest in
/// the file, while all that have it open go on from N - 1, by the number in the lock file. Until
/// the next write both are whole: a process that opens the file when all have closed it finds N.
/// But the next writer uses pages again that only N refers to. So it first takes the header back,
/// on the disk, too, or throws without having changed a page. It knows such a header by its number,
/// which is that of the writer's own transaction, whichever process has left it.
extension Environment {
    /// Has LMDB go on after a commit whose header could not be written.
    ///
    /// Called with `writeLock` held, in the queue of writers.
    func recoverFromFailedHeader(of number: UInt64) {
        // Any other failure has come before the header.
        guard lode_forget_failure(handle) == 0 else { return }
        hasFailedHeader = true
        // If that fails, the next writer does it before anything else.
        try? takeBackFailedHeader(before: number)
    }

    /// Makes sure that the file has no header of a commit that failed.
    ///
    /// Called in the queue of writers, with `writeLock` held, before a page is written. The number
    /// of a process that died between its header and that in the lock file has been put right: LMDB
    /// does so for the process that gets the mutex next.
    ///
    /// - Parameter number: That of the transaction that begins, or that has failed.
    func takeBackFailedHeader(before number: UInt64) throws(LMDBError) {
        let isThere = lastTransactionID == number
        guard isThere || hasFailedHeader else { return }
        if isThere {
            // As LMDB does; it never looks at the rest of the older header.
            var former = number < 2 ? 0 : number - 2
            let place = Int(number & 1) * pageSizeBytes + MetaPage.transactionIDOffset
            let count = pwrite(descriptor, &former, 8, off_t(place))
            guard count == 8 else { throw headerError(count < 0 ? errno : EIO) }
        }
        // Pages that the header on the disk may refer to are not safe before that.
        guard fdatasync(descriptor) == 0 else { throw headerError(errno) }
        hasFailedHeader = false
    }

    private func headerError(_ status: Int32) -> LMDBError {
        error(status, "Taking back the header of a commit that failed")
    }
}
