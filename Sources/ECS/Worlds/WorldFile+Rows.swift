// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Store
import Worlds

/// Rows for game objects that are to come.
extension WorldFile {
    func reserve(_ count: Int) throws {
        guard world.rows.left < count, let table = store.table(named: "GameObject") else { return }
        world.rows.add(try context.storage { try store.gameObjectRows(count, table) })
    }

    func reserveRows(upTo row: Int) throws {
        guard let table = store.table(named: "GameObject") else { return }
        try context.storage {
            while world.rows.next + world.rows.left <= row {
                let missing = row + 1 - world.rows.next - world.rows.left
                world.rows.replace(try store.gameObjectRows(max(missing, 1), table))
            }
        }
    }

    /// Reserves rows up to one, if those from another one on were not reserved yet.
    ///
    /// - Returns: The first free row: no object had it before, and no other world has taken it.
    func reserve(through greatest: Int, from least: Int) throws -> Int {
        guard let table = store.table(named: "GameObject") else { return 0 }
        return try context.storage {
            // No other world or context takes rows of a block that this world has.
            let own = world.rows.next..<world.rows.next + world.rows.left
            if own.contains(least), own.contains(greatest) { return own.lowerBound }
            var block = try store.gameObjectRows(1, table)
            let first = block.lowerBound
            guard least >= first else { return first }
            while block.upperBound <= greatest {
                let more = try store.gameObjectRows(greatest + 1 - block.upperBound, table)
                // Others may reserve at the same time, and so have some of these.
                guard more.lowerBound == block.upperBound else { return more.upperBound }
                block = block.lowerBound..<more.upperBound
            }
            world.rows.replace(block)
            return first
        }
    }
}
