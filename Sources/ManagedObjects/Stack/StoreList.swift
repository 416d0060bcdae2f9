// SPDX-License-Identifier: Apache-2.0

import Schema

/// The stores of a coordinator.
struct StoreList: Sendable {
    var all: [NSPersistentStore] = []
    var main: NSPersistentStore?
    /// The further stores by tag, less one; `nil` once removed.
    var further: [FurtherStore?] = []
    /// The identities that the tags were given for: objects of another store must not be taken for
    /// those of a removed one.
    private(set) var identifiers: [String] = []
    /// The identities of the main stores that were removed, in turn.
    var formerMains: [String] = []

    /// The tag for a store: its former tag or a new one; `nil` when there are no more tags.
    mutating func takeTag(for identifier: String) -> Int? {
        if let index = identifiers.firstIndex(of: identifier), further[index] == nil {
            return index + 1
        }
        guard further.count < ObjectKey.greatestTag else { return nil }
        further.append(nil)
        identifiers.append(identifier)
        return further.count
    }
}
