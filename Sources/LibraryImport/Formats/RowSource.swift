// SPDX-License-Identifier: Apache-2.0

/// A stream of rows, read once from front to back in bounded memory.
///
/// A class, since a stream has one position; use it from one task at a time.
package protocol RowSource: AnyObject {
    /// The path that errors and rejected rows name.
    var file: String { get }
    /// The sections met so far, in the order of the file; also those without rows.
    var sections: [RowSection] { get }
    /// Whether every value is text, so that types are to be read out of the text.
    var isUntyped: Bool { get }
    /// The bytes read so far, for progress.
    var bytesRead: Int { get }
    /// The names of a section's fields by field index; the list may grow from row to row and
    /// never changes otherwise.
    func fieldNames(of section: Int) -> [String]
    /// Reads the next row; false after the last.
    ///
    /// A row with a ``RawRow/problem`` is to be counted as rejected.
    /// - Throws: ``ImportError/Code/malformed``, ``ImportError/Code/cannotOpen``.
    func next(into row: inout RawRow) throws(ImportError) -> Bool
}
