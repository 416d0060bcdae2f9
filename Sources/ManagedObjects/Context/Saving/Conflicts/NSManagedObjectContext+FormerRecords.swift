// SPDX-License-Identifier: Apache-2.0

import Schema

/// Objects that are inserted again, as their deletion was saved and undone: they have their former
/// keys, under which others may write records meanwhile.
extension NSManagedObjectContext {
    /// Notes an object that has its former key reserved.
    final func noteFormer(_ object: NSManagedObject, version: UInt32) {
        object.requireExtras().formerVersion = version
        changes.former.append(object)
        changes.returned.append(object)
    }

    /// Looks between two events whether others have written records anew, so that what follows, as
    /// a fetch, finds the inserted objects by these.
    @inline(never)
    final func noticeFormerRecords() {
        guard source == nil, !event.isProcessing, !changes.hasEvent else { return }
        do { try moveSnapshotIfOutdated() } catch { lastReadError = error }
        guard changes.formerStamp != stamp else { return }
        changes.formerStamp = stamp
        changeFormer(
            changes.former.filter { object in
                object.context === self && object.isInserted
                    && object.reservedKey.map { isThere($0) == true } == true
            })
    }

    /// Makes changes out of insertions that undo saved deletions, once others have written the
    /// records anew: two objects cannot have one record, and a policy decides as between changes.
    ///
    /// What the records were before is not known, so all values count as changed, see `lacksBase`.
    ///
    /// - Parameter objects: Inserted objects with former keys; their event is over.
    final func changeFormer(_ objects: some Sequence<NSManagedObject>) {
        var keys: [ObjectKey: ObjectKey] = [:]
        var former: [(object: NSManagedObject, version: UInt32)] = []
        for object in objects {
            guard let key = object.reservedKey else { continue }
            keys[object.key] = key
            former.append((object, object.extras?.formerVersion ?? 0))
        }
        if former.isEmpty { return }
        giveKeys(keys)
        familyLineage.publish(keys)
        for (object, version) in former {
            object.flags.remove(.inserted)
            object.flags.insert(.updated)
            object.requireExtras().formerVersion = version
            changes.updated.append(object)
        }
        changes.inserted.removeAll { !$0.flags.contains(.inserted) }
        changes.former.removeAll { !$0.flags.contains(.inserted) }
        changes.eventStart = changes.inserted.count
        (changes.postedInserted, changes.postedUpdated) = (nil, nil)
        changes.pendingIndex = nil
    }
}

extension NSManagedObject {
    /// Whether what the store had when the changes of a saved object began is not known: its record
    /// was gone, and others have written it anew.
    final var lacksBase: Bool { flags.contains(.gone) || extras?.formerVersion ?? 0 != 0 }

    /// The object's changes are on top of the record that is there now.
    final func regainBase() {
        flags.remove([.inaccessible, .gone])
        extras?.formerVersion = 0
    }
}
