// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

extension NSPersistentStore {
    /// What ``verify(at:_:)`` looks at.
    public enum Verification: Sendable {
        /// The pages: what is needed to read the file without a crash.
        case pages
        /// The pages and all that lies in them: every checksum, indexes, both ends of
        /// relationships, and the game objects of value components.
        case pagesAndRecords
    }

    /// Checks the file of a store that may be damaged.
    ///
    /// LMDB trusts the pages of its files: a program that reads a damaged page may crash. This
    /// reads the file itself, page by page, and trusts nothing. Call it before the store is
    /// opened, as after a disk failure or for a file from elsewhere. Other processes may use the
    /// file meanwhile; their later commits are not checked.
    ///
    /// - Parameters:
    ///   - url: The file; it is opened for reading only.
    ///   - what: The pages alone, or their contents as well.
    /// - Throws: 134070 for a damaged file, with the page, object or relationship in the message;
    ///   134080 for a file that is no store or a newer one.
    /// - Complexity: O(size of the file).
    public static func verify(
        at url: URL, _ what: Verification = .pagesAndRecords
    ) throws {
        let path = try url.storePath()
        try CoreDataError.mapping {
            try Store.verifyPages(at: path)
            guard what == .pagesAndRecords else { return }
            var options = StoreOptions()
            options.isReadOnly = true
            let uuid = UUIDValue(high: 0, low: 0)
            try Store.open(at: path, schema: nil, uuid: uuid, options: options).verifyContents()
        }
    }
}
