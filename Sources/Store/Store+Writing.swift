// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

extension Store {
    /// Runs a write transaction and commits it.
    ///
    /// The body runs on the calling thread, and once more from the start when the map had to grow,
    /// so it must not leave traces outside the transaction before it returns. What other programs
    /// have changed of the catalog meanwhile, such as new indexes, is followed first.
    ///
    /// - Parameters:
    ///   - mayUseReserve: Whether the room above the size limit may be used, as for deletions.
    ///   - body: Makes the changes.
    /// - Throws: What the body throws, after undoing all it wrote, or ``StoreError``: `readOnly`
    ///   also where another program has begun a history that this store does not go on with, and
    ///   `incompatibleModel` where the store must be opened again.
    public func write<Result>(
        mayUseReserve: Bool = false, _ body: (SaveTransaction) throws -> Result
    ) throws -> Result {
        try followingCatalog { try writeOnce(mayUseReserve, body) }
    }

    /// Writes as ``write(mayUseReserve:_:)`` does, but may share the commit with writes of other
    /// threads that come at the same time, so that all wait for the disk once.
    ///
    /// The bodies run on the thread that came first, while their own threads wait, and each finds
    /// what those before it have written, see ``SaveTransaction/isFirst``. Where one of them
    /// throws, all run again, each on its own thread.
    ///
    /// - Parameters:
    ///   - body: Makes the changes. The other writes wait for it: it should be short, and must not
    ///     wait for anything that another thread may hold while it writes. Beside its result it
    ///     returns a note of what it has written.
    ///   - didCommit: Gets the notes of all writes that were committed together, in order, before
    ///     any of them returns. That of one of them is called.
    /// - Returns: What the body returned, and how many writes were committed together.
    /// - Throws: As ``write(mayUseReserve:_:)``.
    public func writeJoining<Result, Note: Sendable>(
        _ body: (SaveTransaction) throws -> (result: Result, note: Note),
        didCommit: ([Note]) -> Void
    ) throws -> (result: Result, memberCount: Int) {
        try followingCatalog {
            try attempting { attempt in
                try environment.writeJoining(
                    owner: self,
                    { transaction, isFirst in
                        try write(in: transaction, isFirst: isFirst, &attempt, body)
                    }, didCommit: didCommit)
            }
        }
    }

    /// Runs a write, and follows first what other programs have changed of the catalog.
    private func followingCatalog<Result>(_ write: () throws -> Result) throws -> Result {
        guard !isReadOnly else { throw readOnlyError }
        do {
            while true {
                do {
                    return try write()
                } catch is CatalogMoved {
                    try followCatalog()
                }
            }
        } catch {
            switch error {
            case is LMDBError, is RecordFormatError: throw StoreError(wrapping: error, path: path)
            default: throw error
            }
        }
    }

    /// Writes, and replaces a state of the catalog.
    ///
    /// - Parameters:
    ///   - header: The new header.
    ///   - former: The state that the change begins with, asked for before the header was read:
    ///     then the header is that of the file as long as the state is. Without one, the newest.
    ///   - body: Makes the changes.
    /// - Throws: ``CatalogMoved`` if another program, or another thread, has changed the catalog
    ///   first.
    func changeCatalog(
        _ header: StoreHeader, from former: CatalogState? = nil,
        _ body: (SaveTransaction) throws -> Void
    ) throws {
        let former = former ?? catalog
        let number = try writeOnce(false) { save in
            // The store may know a newer state by now: its header would be replaced by an older
            // one, and the epoch would fall, which all others would wait for in vain.
            guard save.catalog.epoch == former.epoch else { throw CatalogMoved() }
            try body(save)
            try save.raiseEpoch(to: former.epoch + 1, header)
            return save.transactionID
        }
        install(former.renumbered(former.epoch + 1, asOf: number))
    }

    /// Writes by the catalog that was looked at last.
    ///
    /// - Throws: ``CatalogMoved`` where that is no longer the file's.
    func writeOnce<Result>(
        _ mayUseReserve: Bool, _ body: (SaveTransaction) throws -> Result
    ) throws -> Result {
        try attempting { attempt in
            try environment.write(usesReserve: mayUseReserve) { transaction in
                try write(in: transaction, isFirst: true, &attempt, body)
            }
        }
    }

    /// Runs a write, of which the watches for the commits of others are to know.
    private func attempting<Result>(
        _ write: (inout WriteAttempt) throws -> Result
    ) throws -> Result {
        var attempt = WriteAttempt(self)
        do {
            let result = try write(&attempt)
            attempt.end(isCommitted: true)
            checkInvariants()
            return result
        } catch {
            attempt.end(isCommitted: false)
            throw error
        }
    }

    /// Runs a body in a transaction, and writes what it collects.
    private func write<Result>(
        in transaction: borrowing WriteTransaction, isFirst: Bool, _ attempt: inout WriteAttempt,
        _ body: (SaveTransaction) throws -> Result
    ) throws -> Result {
        let catalog = try requireCatalog(of: transaction)
        let save = SaveTransaction(
            store: self, catalog: catalog, transaction: transaction, isFirst: isFirst)
        attempt.begin(save.transactionID)
        defer { save.end() }
        let result = try body(save)
        try save.flush()
        attempt.note(save)
        return result
    }

    private var readOnlyError: StoreError {
        StoreError(
            .readOnly, path: path,
            hasHistory
                ? "the store keeps a history and was opened read-only or without one; open it "
                    + "for writing and with its history to save"
                : "the store was opened read-only; open it for writing to save")
    }

    /// The state of the catalog that a transaction writes by.
    private func requireCatalog(
        of transaction: borrowing WriteTransaction
    ) throws -> CatalogState {
        let state = catalog
        // The commit that the transaction builds on; no one else can commit while it runs.
        let base = transaction.transactionID - 1
        if !state.covers(base) {
            guard try MetaNumber.epoch.read(transaction, meta) == state.epoch else {
                throw CatalogMoved()
            }
            state.note(base)
        }
        guard !state.refusesWrites else { throw readOnlyError }
        return state
    }
}
