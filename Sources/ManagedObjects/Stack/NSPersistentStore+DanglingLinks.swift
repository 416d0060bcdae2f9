// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

extension NSPersistentStore {
    /// A link of a relationship with an inverse that leads to an object which is gone.
    public struct DanglingLink: Sendable, Hashable {
        /// The URI of the object that has the link.
        public let owner: URL
        /// The name of the relationship.
        public let relationshipName: String
        /// The URI of the object that is gone.
        public let destination: URL
    }

    /// The links of relationships with an inverse that lead to objects which are gone, as of now.
    ///
    /// Delete rules and merges take such links back, so a file has none, or some of an earlier
    /// version. Those that the rule "no action" leaves, on the side of what was deleted, are left
    /// out. They read as inaccessible faults; set the relationship anew to take one out.
    ///
    /// - Throws: 134070 when the store was removed or cannot be read, or is no file of Lode.
    /// - Complexity: O(n log n) in the number of links.
    public final func danglingLinks() throws -> [DanglingLink] {
        let store = try requireOpenStore()
        return try CoreDataError.mapping {
            try store.danglingLinks().compactMap { link in
                guard let owner = uri(of: link.owner, store),
                    let destination = uri(of: link.destination, store)
                else { return nil }
                return DanglingLink(
                    owner: owner, relationshipName: link.relationship, destination: destination)
            }
        }
    }

    private final func uri(of key: ObjectKey, _ store: Store) -> URL? {
        guard let ordinal = store.ordinal(of: key.entity) else { return nil }
        let name = store.tables[ordinal].entity.name
        return URL(string: "x-coredata://\(identity)/\(name)/p\(key.row)")
    }
}
