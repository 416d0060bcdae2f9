// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The values of deleted objects, kept for a `didSave()` that asks for them.
///
/// Programs remove the file that an object names once its deletion is saved, and so ask for
/// `isDeleted` and the name there. Copies cost, so only objects whose class overrides the method
/// have one.
struct LastValues {
    private var drafts: [ObjectIdentifier: RecordDraft] = [:]

    init(of objects: some Sequence<NSManagedObject>) {
        for object in objects
        where object.runtime.traits(of: type(of: object)).overridesDidSave {
            let values = object.runtime.fields.indices.map { object.knownValue($0) }
            drafts[ObjectIdentifier(object)] = .make(values: ContiguousArray(values))
        }
    }

    /// Calls `didSave()` of an object whose deletion was saved, with its last values in place.
    func callDidSave(of object: NSManagedObject) {
        guard let draft = drafts[ObjectIdentifier(object)] else { return object.didSave() }
        object.draft = draft
        object.flags.insert(.deleted)
        object.didSave()
        object.flags.remove(.deleted)
        object.draft = nil
    }
}
