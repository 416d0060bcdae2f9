// SPDX-License-Identifier: Apache-2.0

import Schema

extension NSManagedObjectContext {
    /// The objects of keys, in their order: registered ones and new faults.
    ///
    /// What is the same for all objects of an entity is looked up once.
    final func objects(for keys: ContiguousArray<ObjectKey>) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(keys.count)
        var number = EntityNumber(rawValue: 0)
        var runtime: EntityRuntime?
        for key in keys {
            if let known = registry[key] {
                objects.append(known)
                continue
            }
            guard !key.isTemporary, reserved.isEmpty else {
                if let object = object(for: key) { objects.append(object) }
                continue
            }
            if key.entity != number {
                number = key.entity
                runtime = persistentStore?.store?.ordinal(of: number).map { model.runtimes[$0] }
            }
            if let runtime { objects.append(makeFault(key, runtime)) }
        }
        return objects
    }
}
