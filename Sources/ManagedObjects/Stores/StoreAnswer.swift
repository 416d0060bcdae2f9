// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads what stores of the program's own return as `Any`.
enum StoreAnswer {
    /// The members of any kind of collection; one thing alone is a collection of one.
    static func list(_ value: Any) throws -> [Any] {
        switch value {
        case is NSNull: []
        case let list as [Any]: list
        case let set as NSOrderedSet: set.array
        case let list as NSArray: list.map { $0 }
        case let set as NSSet: set.map { $0 }
        case let set as Set<AnyHashable>: set.map(\.base)
        case let collection as any Collection: collection.map { $0 as Any }
        default: [value]
        }
    }
}
