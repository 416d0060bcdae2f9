// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import RecordFormat
import Store
import Worlds

/// What others have committed, put together with the world's own changes.
extension WorldFile {
    /// Why the file is looked at.
    enum Look {
        /// A new tick: conflicts are left for the save.
        case atTick
        /// The save is about to begin: conflicts are resolved, or thrown.
        case toSave
    }

    func didAdvance() {
        look()
        saveIfDue()
    }

    /// Shows what was committed since the last look; an error waits for the save.
    func look() {
        do { try refresh() } catch { pendingError = error }
    }

    /// Shows what was committed since the last look.
    func refresh() throws {
        world.checkIdle("refreshing")
        context.noteUse()
        pendingError = nil
        deleteDeferred()
        try showOthers(.atTick)
        try keepPromise()
        try migrateRest()
    }

    /// Whether a transaction builds on the state that the world shows.
    func isNext(_ transaction: SaveTransaction) -> Bool { transaction.transactionID == seen + 1 }

    /// Takes over what was committed since the last look.
    ///
    /// - Throws: 133020 for a conflict that the merge policy does not resolve, and for an ID that
    ///   others have given to another game object, which no policy does.
    func showOthers(_ look: Look) throws {
        if look == .toSave { try refuseSharedRows(sharedCommandRows) }
        let waits = mayHaveOrphans || !orphans.isEmpty || !meetings.isEmpty
        let isOpen = hasConflicts || (look == .toSave && waits)
        guard store.lastTransactionID != seen || isOpen else { return }
        do {
            try context.storage {
                try store.findColumns()
                let snapshot = try store.makeSnapshot()
                try withExtendedLifetime(snapshot) {
                    do { try takeOver(snapshot, look) } catch {
                        // Chunks of the state must not outlive it, nor what keeps its pages.
                        if !shown.isActive { leaveFile(world) }
                        throw error
                    }
                }
            }
        } catch {
            // The next look begins anew, as some chunks are of the newest commit and others not.
            hasConflicts = true
            throw error
        }
    }

    private func takeOver(_ snapshot: StoreSnapshot, _ look: Look) throws {
        try adopt(try snapshot.columnTypes())
        let hadConflicts = hasConflicts
        hasConflicts = false
        // Nearly all commits are of objects alone.
        let isSame = !hadConflicts && shows(columnsOf: snapshot)
        let types = isSame ? [] : types.values.sorted { $0.number < $1.number }
        if !isSame { try noteSharedRows(snapshot) }
        if look == .toSave { try refuseSharedRows() }
        defer { if look == .toSave { sharedRows = [] } }
        if look == .toSave, policy == .error {
            try refuseConflicts(types, snapshot)
            try refuseCircles(types, snapshot)
        }
        try giveUpLinkRows(types, snapshot)
        var mayHaveLooseLinks = false
        for type in types {
            guard try show(type, snapshot, look) else { continue }
            mayHaveOrphans = true
            // The file has them already, and is to have them once.
            if type.kind.isRelationship {
                let column = try column(of: type)
                column.endDoubleLinks(world.tick)
                noteMeeting(in: column)
            }
            if type.kind.isRelationship || type.name == ChunkFormat.aliveName {
                mayHaveLooseLinks = true
            }
        }
        if look == .toSave, policy == .theirs { takeBackSharedRows() }
        if mayHaveLooseLinks {
            world.skipTakenRows()
            world.endLooseLinks()
        }
        if look == .toSave { settleCircles() }
        let taken = try snapshot.takenRow()
        if taken > takenRow { world.giveUpRows(upTo: taken) }
        takenRow = max(taken, takenRow)
        switch look {
        case .atTick: if mayHaveOrphans { hideOrphans() }
        case .toSave:
            if mayHaveOrphans { try endOrphans() }
            orphans = Orphans()
        }
        seen = snapshot.transactionID
        show(snapshot)
    }

    /// Takes over the chunks of a type that others have written.
    ///
    /// - Returns: Whether there are any.
    private func show(
        _ type: StoredColumnType, _ snapshot: StoreSnapshot, _ look: Look
    ) throws -> Bool {
        var isChanged = false
        try forEachNewer(type, snapshot) { bytes, version, chunk, column in
            isChanged = true
            let isMapped = bytes.map(snapshot.staysInPlace) ?? false
            try take(bytes, isMapped: isMapped, version, chunk, column, look)
        }
        return isChanged
    }

    /// Calls a body with the chunks of a type that others have written or removed.
    func forEachNewer(
        _ type: StoredColumnType, _ snapshot: StoreSnapshot,
        _ body: (UnsafeRawBufferPointer?, UInt64, Int, Column) throws -> Void
    ) throws {
        let column = try self.column(of: type)
        var gone = Set(column.storedChunks)
        try snapshot.forEachColumnChunk(of: type) { number, bytes in
            let chunk = Int(number)
            gone.remove(chunk)
            let version = ChunkHeader.version(of: bytes)
            guard
                version == 0 || version != column.version(of: chunk)
                    || bytes.count != column.layout.size
            else { return }
            _ = try snapshot.header(of: bytes, number, type)
            try readContents(bytes, chunk, column, snapshot)
            try body(bytes, version, chunk, column)
        }
        for chunk in gone.sorted() { try body(nil, 0, chunk, column) }
    }

    /// Shows the new bytes of a chunk, under the world's own changes of it.
    ///
    /// At a tick, a value that both have changed stays as it is here, and its conflict is left for
    /// the save.
    private func take(
        _ bytes: UnsafeRawBufferPointer?, isMapped: Bool, _ version: UInt64, _ chunk: Int,
        _ column: Column, _ look: Look
    ) throws {
        let apart = rowsApart(column, chunk, bytes)
        guard column.isDirty(chunk) || !apart.isEmpty else {
            column.replace(chunk, with: bytes, isMapped: isMapped, world.tick)
            return column.becomeClean(chunk, version: version)
        }
        column.beginWriting(chunk)
        let prefersMine = look == .atTick || policy != .theirs
        // Unsaved links have made room for those of others, see `giveUpLinkRows`.
        let merge = ChunkMerge(
            bytes, chunk, of: column, prefersMine: prefersMine && !column.hasRowsOfLinks,
            apart: apart, apartIsMine: prefersMine)
        merge.bytes.withUnsafeBytes { column.replace(chunk, with: $0, world.tick) }
        // The base of the conflict stays, and the version, so that the save finds it.
        let conflicts = (column.hasRowsOfLinks ? [] : merge.conflicts) + apart
        if !conflicts.isEmpty, look == .atTick {
            column.rebase(chunk, to: bytes, exceptFor: conflicts)
            return hasConflicts = true
        }
        column.rebase(chunk, to: bytes, version: version, isMapped: isMapped)
    }

    enum Policy { case error, mine, theirs }

    var policy: Policy {
        switch (context.mergePolicy as? NSMergePolicy)?.mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .mine
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .theirs
        default: .error
        }
    }

    func conflict(
        _ row: Int, _ column: Column, theirs: UnsafeRawBufferPointer?
    ) -> CocoaError {
        if column.type.kind == .resource {
            return CoreDataError.make(
                .managedObjectMerge,
                "the \(column.type.name) of the world was changed by another program and here; set "
                    + "a merge policy, or roll back")
        }
        guard column.isOfLinks else { return conflictOfObject(row, column) }
        func end(_ bytes: UnsafeRawBufferPointer?) -> String {
            column.target(ofLink: row, in: bytes).map { " to \(world.id(ofRow: $0))" } ?? ""
        }
        let mine = column.bytes(of: row >> column.layout.shift)
        return conflictOfObject(row, column, end(mine), end(theirs))
    }

    func conflictOfObject(
        _ row: Int, _ column: Column, _ mine: String = "", _ theirs: String = ""
    ) -> CocoaError {
        CoreDataError.make(
            .managedObjectMerge,
            "\(column.type.name) of the game object \(world.id(ofRow: row)) was changed\(mine) "
                + "here and\(theirs) by another context or program; roll back, or set a merge "
                + "policy")
    }
}
