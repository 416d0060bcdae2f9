// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The parts of a permanent object ID's URI, `x-coredata://<store>/<Entity>/p<name>`.
package struct ObjectURI {
    /// The store's identifier, in capital or small letters.
    private let store: String
    /// The name of the entity.
    package let entity: String
    /// What the store calls the object: its row, unless the store has names of its own.
    package let name: String

    /// Takes a URI apart; nil for one of another kind, as of a temporary ID.
    package init?(_ url: URL) {
        guard url.scheme == "x-coredata", let host = url.host else { return nil }
        let parts = url.path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("p") else { return nil }
        store = host
        entity = String(parts[0])
        name = String(parts[1].dropFirst())
    }

    /// Whether a store of an identifier has the object.
    package func isOf(store identifier: String) -> Bool {
        identifier.caseInsensitiveCompare(store) == .orderedSame
    }

    /// The row, if the name is one that a file can have given.
    package var row: UInt64? {
        UInt64(name).flatMap { $0 > 0 && $0 < ObjectKey.temporaryBit ? $0 : nil }
    }
}
