// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// The pages of a file, read one at a time.
final class PageFile {
    private let file: DataFile
    let pageSize: Int
    /// How many whole pages the file has.
    let pageCount: Int

    init(_ original: borrowing DataFile, _ meta: MetaPage) throws(LMDBError) {
        file = try original.copy()
        pageSize = meta.pageSizeBytes
        pageCount = try file.byteCount() / meta.pageSizeBytes
    }

    /// A page's bytes.
    func page(_ number: UInt64) throws(LMDBError) -> [UInt8] {
        try read(number, 0, pageSize)
    }

    /// A page's bytes, with the positions of its entries.
    func entries(of number: UInt64) throws(LMDBError) -> PageEntries {
        guard let entries = PageEntries(try page(number)) else {
            throw damaged("page \(number) has no header")
        }
        return entries
    }

    /// A value in pages of its own, without the header of the first.
    func bytes(at number: UInt64, _ byteCount: Int) throws(LMDBError) -> [UInt8] {
        try read(number, PageLayout.Header.byteCount, byteCount)
    }

    private func read(_ number: UInt64, _ skipped: Int, _ count: Int) throws(LMDBError) -> [UInt8] {
        guard number < UInt64(pageCount), count >= 0,
            count + skipped <= (pageCount - Int(number)) * pageSize
        else { throw damaged("page \(number) is not in the file") }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = file.read(into: &bytes, at: Int(number) * pageSize + skipped)
        guard found == count else { throw damaged("page \(number) cannot be read") }
        return bytes
    }

    /// An error that says what is wrong.
    func damaged(_ what: String) -> LMDBError {
        LMDBError(
            code: .corrupted, path: file.path,
            message: "The file is damaged: \(what). Restore a backup, or rebuild it from an export."
        )
    }
}
