// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The values of deleted objects, kept for a `didSave()` and for observers that ask for them.
///
/// Programs remove the file that an object names once its deletion is saved, and so ask for
/// `isDeleted` and the name there; an observer of the did-save notification filters the deleted
/// objects with a predicate. Copies cost, so only objects whose class overrides the method have
/// one, and all objects once the program observes saves: these without the values outside their
/// records, as there may be gigabytes of those.
struct LastValues {
    private var drafts: [ObjectIdentifier: RecordDraft] = [:]

    init(of objects: some Sequence<NSManagedObject>, isObserved: Bool) {
        for object in objects {
            let asks = object.runtime.traits(of: type(of: object)).overridesDidSave
            guard asks || isObserved else { continue }
            var values: ContiguousArray<Value?> = []
            values.reserveCapacity(object.runtime.fields.count)
            for position in object.runtime.fields.indices {
                values.append(asks ? object.knownValue(position) : object.nearValue(position))
            }
            drafts[ObjectIdentifier(object)] = .make(values: values)
        }
    }

    /// Calls `didSave()` of objects whose deletion was saved, with their last values in place.
    ///
    /// The values stay until ``leave(_:)``.
    func callDidSave(of deleted: ContiguousArray<NSManagedObject>) {
        for object in deleted {
            guard let draft = drafts[ObjectIdentifier(object)] else {
                object.didSave()
                continue
            }
            object.draft = draft
            object.flags.insert(.deleted)
            object.didSave()
            object.flags.remove(.deleted)
        }
    }

    /// Takes the last values from the objects that did not come back meanwhile.
    func leave(_ deleted: ContiguousArray<NSManagedObject>) {
        if drafts.isEmpty { return }
        for object in deleted where object.context == nil && drafts[ObjectIdentifier(object)] != nil
        {
            object.draft = nil
        }
    }
}
