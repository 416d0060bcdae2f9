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
        guard text.hasPrefix(ObjectURI.start),
            let (entityPlace, namePlace) = ObjectURI.places(in: text.utf8.span)
        else { return nil }
        func part(_ start: Int, _ end: Int) -> String {
            let (from, to) = (
                text.utf8.index(text.startIndex, offsetBy: start),
                text.utf8.index(text.startIndex, offsetBy: end)
            )
            return String(text[from..<to])
        }
        store = part(ObjectURI.start.utf8.count, entityPlace - 1)
        entity = part(entityPlace, namePlace - 2)
        name = part(namePlace, text.utf8.count)
    }

    /// What comes before the store.
    private static let start = "x-coredata://"

    /// Where the entity and the name begin in the text of a usual URI; nil for any other one.
    private static func places(in bytes: Span<UInt8>) -> (entity: Int, name: Int)? {
        let storePlace = start.utf8.count
        var (first, second) = (0, 0)
        for place in storePlace..<bytes.count {
            let byte = bytes[place]
            guard isPlain(byte) else { return nil }
            // A port is no part of the store.
            if byte == UInt8(ascii: ":"), first == 0 { return nil }
            guard byte == UInt8(ascii: "/") else { continue }
            guard second == 0 else { return nil }
            (first, second) = first == 0 ? (place, 0) : (first, place)
        }
        guard first > storePlace, second > first + 1, second + 1 < bytes.count,
            bytes[second + 1] == UInt8(ascii: "p")
        else { return nil }
        return (first + 1, second + 2)
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
