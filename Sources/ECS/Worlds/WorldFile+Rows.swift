// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema
import Store
import Worlds

/// Rows for game objects that are to come.
extension WorldFile {
    func reserve(_ count: Int) throws {
        if world.rows.left < count, let table = store.table(named: "GameObject") {
            world.rows.add(try context.storage { try store.gameObjectRows(count, table) })
        }
        world.rows.promise(count)
    }

    /// Reserves rows in place of promised ones that others turned out to have.
    func keepPromise() throws {
        let promised = world.rows.promised
        if world.rows.left < promised { try reserve(promised) }
    }

    func reserveRows(upTo row: Int) throws {
        guard let table = store.table(named: "GameObject") else { return }
        // Behind the row there have to be as many as were promised.
        let last = row + world.rows.promised
        try context.storage {
            while max(row + 1, world.rows.next) + world.rows.promised
                > world.rows.next + world.rows.left
            {
                let missing = last + 1 - world.rows.next - world.rows.left
                world.rows.replace(
                    try store.gameObjectRows(max(missing, world.rows.promised, 1), table))
            }
        }
    }

    /// Whether the file has a managed object: others may have deleted it.
    func hasRecord(of key: ObjectKey) throws -> Bool {
        func isFound(_ snapshot: StoreSnapshot) throws -> Bool {
            var isFound = false
            try snapshot.forEachRecord(of: [key][...]) { _, _ in isFound = true }
            return isFound
        }
        return try context.storage {
            // What the world shows mostly has it, and costs no state more.
            if try shown.with(isFound) == true { return true }
            return try isFound(try store.makeSnapshot())
        }
    }

    func takeRows(_ count: Int) throws -> Range<Int> {
        guard let table = store.table(named: "GameObject") else { return 0..<0 }
        return try context.storage { try store.gameObjectRows(count, table) }
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
            let last = greatest + world.rows.promised
            while block.upperBound <= last {
                let more = try store.gameObjectRows(last + 1 - block.upperBound, table)
                // Others may reserve at the same time, and so have some of these.
                guard more.lowerBound == block.upperBound else { return more.upperBound }
                block = block.lowerBound..<more.upperBound
            }
            world.rows.replace(block)
            return first
        }
    }
}
