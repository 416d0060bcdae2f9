// SPDX-License-Identifier: Apache-2.0

import Schema

/// The changed objects of a file's context as objects of the program's model, to be shown to an
/// atomic store.
///
/// The program's own objects keep their changes until the save has succeeded.
struct NodeImages {
    private let scratch = NSManagedObjectContext(.privateQueue)
    private let inner: NSManagedObjectContext
    private let keys: KeyTranslation

    init(
        _ context: NSManagedObjectContext, _ inner: NSManagedObjectContext, _ keys: KeyTranslation
    ) {
        self.inner = inner
        self.keys = keys
        scratch.persistentStoreCoordinator = context.persistentStoreCoordinator
        scratch.followers.isSilent = true
    }

    /// Runs a body in which the images may be read.
    func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
        try scratch.enterQueue(body)
    }

    /// An image for each inserted and updated object, with its values and members.
    func make() -> [NSManagedObject] {
        let twins = (Array(inner.changes.liveInserted) + Array(inner.changes.liveUpdated))
            .filter { !$0.isDeleted }
        var permanent: [ObjectKey: ObjectKey] = [:]
        for twin in twins { permanent[twin.key] = keys.outer(twin.storedKey) }
        return twins.compactMap { twin in
            guard let key = permanent[twin.key], let runtime = scratch.runtime(of: key),
                let values = twin.inheritedValues()
            else { return nil }
            let image = scratch.relative(key, runtime)
            let record = keys.outer(values.record.view, runtime)
            image.bind(
                InheritedValues(record: record, largeValues: values.largeValues),
                stamp: scratch.stamp)
            image.flags.remove(.fault)
            for own in twin.runtime.toManyRelationships where own.isStored {
                guard let relationship = runtime.relationship(like: own) else { continue }
                let members = twin.members(own).compactMap { permanent[$0] ?? keys.outer($0) }
                image.toManyState(relationship.toManyIndex).load(ContiguousArray(members))
            }
            image.replaceReferences(permanent)
            return image
        }
    }
}
