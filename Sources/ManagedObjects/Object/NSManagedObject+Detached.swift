// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

extension NSManagedObject {
    /// The ID of an object that was never in a context, made when it is first asked for.
    final var detachedID: NSManagedObjectID {
        let extras = requireExtras()
        if let known = extras.objectID { return known }
        let id = NSManagedObjectID(key: DetachedKeys.make(), runtime: runtime, store: nil)
        extras.objectID = id
        return id
    }

    /// The temporary key that a context gives the object at its insertion, if it has one already.
    final var detachedKey: ObjectKey? { extras?.objectID?.key }
}

/// The temporary keys of objects that have no context, from blocks of their own.
enum DetachedKeys {
    // Guards the next row: objects without a context may be of any thread.
    private static let nextRow = Mutex<UInt64>(0)

    static func make() -> ObjectKey {
        nextRow.withLock { row in
            if row & 0xFFFF == 0 {
                let block = NSManagedObjectContext.temporaryBlocks.add(1, ordering: .relaxed)
                row = block.oldValue << 16 | 1
            }
            defer { row += 1 }
            return ObjectKey(rawValue: ObjectKey.temporaryBit | row)
        }
    }
}
