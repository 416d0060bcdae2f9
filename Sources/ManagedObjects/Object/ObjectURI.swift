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
        if let usual = ObjectURI(usual: url.absoluteString) {
            self = usual
            return
        }
        guard url.scheme == "x-coredata", let host = url.host else { return nil }
        let parts = url.path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("p") else { return nil }
        store = host
        entity = String(parts[0])
        name = String(parts[1].dropFirst())
    }

    /// Takes the text of a usual URI apart; nil for any other one.
    ///
    /// A program that keeps its objects' URIs has one for each object: the parts that a URL gives
    /// take several times as long.
    private init?(usual text: String) {
        guard text.hasPrefix("x-coredata://"), text.utf8.allSatisfy(ObjectURI.isPlain)
        else { return nil }
        let parts = Substring(text).utf8.dropFirst("x-coredata://".utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].first == UInt8(ascii: "p"),
            !parts[0].isEmpty, !parts[0].contains(UInt8(ascii: ":")), !parts[1].isEmpty
        else { return nil }
        store = String(Substring(parts[0]))
        entity = String(Substring(parts[1]))
        name = String(Substring(parts[2].dropFirst()))
    }

    /// Whether a byte is the same in a URI and in the text that it stands for.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F: true
        default: false
        }
    }

    /// Whether a store of an identifier has the object.
    package func isOf(store identifier: String) -> Bool {
        // The usual case: comparing texts of any script takes longer than all the rest.
        store == identifier || identifier.caseInsensitiveCompare(store) == .orderedSame
    }

    /// The row, if the name is one that a file can have given.
    package var row: UInt64? {
        UInt64(name).flatMap { $0 > 0 && $0 < ObjectKey.temporaryBit ? $0 : nil }
    }
}
