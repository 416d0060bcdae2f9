// SPDX-License-Identifier: Apache-2.0

import CLMDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A data file, read without a map: checks that must pass before LMDB maps it.
struct DataFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(LMDBError) {
        self.path = path
        descriptor = try PlainFile.open(path, O_RDONLY, allowsLink: true)
    }

    /// The file behind an open descriptor, whatever its path names by now.
    ///
    /// - Parameter path: The path that errors name.
    init(copying descriptor: Int32, path: String) throws(LMDBError) {
        self.path = path
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Opening the file")
        }
    }

    /// The same file once more.
    func copy() throws(LMDBError) -> DataFile { try DataFile(copying: descriptor, path: path) }

    deinit {
        close(descriptor)
    }

    /// Refuses a file that LMDB would crash on, or would quietly replace.
    ///
    /// LMDB reads pages through a map, so a file that is too short is a SIGBUS later.
    func check() throws(LMDBError) {
        var newest = try newestMeta()
        while true {
            do throws(LMDBError) {
                return try check(newest)
            } catch {
                // Others may have committed, and reused pages that were just read.
                let now = try newestMeta()
                guard now.transactionID != newest.transactionID else { throw error }
                newest = now
            }
        }
    }

    private func check(_ newest: MetaPage) throws(LMDBError) {
        guard newest.isUsable else {
            throw fail(
                .corrupted,
                "its header of transaction \(newest.transactionID) is none that LMDB writes there")
        }
        let size = try byteCount()
        // Bounded, so that no multiplication below overflows: 2^46 pages are 256 PiB.
        guard newest.lastPage < 1 << 46 else {
            throw fail(.foreign, "its header names page \(newest.lastPage)")
        }
        let needed = (Int(newest.lastPage) + 1) * newest.pageSizeBytes
        guard size < needed else { return }
        // A healthy file may be shorter: pages that were freed by the transaction that
        // took them are never written. Then every page that is missing is a free one.
        let present = UInt64(size / newest.pageSizeBytes)
        let missing = newest.lastPage + 1 - present
        let free = freePages(from: present, in: newest)
        guard free == missing else {
            throw fail(
                .truncated,
                "it has \(size) of \(needed) bytes, and pages in use are missing")
        }
    }

    /// Reads both headers and returns the newer one, as LMDB chooses.
    private func newestMeta() throws(LMDBError) -> MetaPage {
        let first = try meta(at: 0)
        let second = try meta(at: first.pageSizeBytes)
        // LMDB takes the size of the newer header and looks for the second one by it.
        guard first.pageSizeBytes == second.pageSizeBytes else {
            throw fail(.corrupted, "its headers name pages of different sizes")
        }
        return second.transactionID > first.transactionID ? second : first
    }

    func meta(at offset: Int) throws(LMDBError) -> MetaPage {
        var bytes = [UInt8](repeating: 0, count: MetaPage.byteCount)
        let count = read(into: &bytes, at: offset)
        guard count >= 0 else {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Reading the file")
        }
        guard count == bytes.count else { throw tooShort(offset: offset, count: count) }
        guard let meta = bytes.withUnsafeBytes({ MetaPage($0, page: offset == 0 ? 0 : 1) }),
            meta.hasValidPageSize
        else {
            throw fail(.foreign, "this is not an LMDB file")
        }
        guard meta.version == 1 else {
            throw fail(.versionMismatch, "its format is version \(meta.version), not 1")
        }
        return meta
    }

    private func tooShort(offset: Int, count: Int) -> LMDBError {
        if offset == 0 && count > 0 {
            return fail(.foreign, "it has \(count) bytes, which is no LMDB file")
        }
        return fail(.truncated, count == 0 && offset == 0 ? "it is empty" : "its header is cut")
    }

    /// Reads bytes and returns how many there were, or -1 with `errno` set.
    func read(into bytes: inout [UInt8], at offset: Int) -> Int {
        bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
    }

    func byteCount() throws(LMDBError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Measuring the file")
        }
        return Int(status.st_size)
    }

    private func fail(_ code: LMDBError.Code, _ what: String) -> LMDBError {
        LMDBError(code: code, path: path, message: "Opening failed: \(what). \(code.advice)")
    }
}
