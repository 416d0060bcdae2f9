// SPDX-License-Identifier: Apache-2.0

import Traps

extension NSManagedObject {
    /// Gives a new object the class of its entity, which may be one below the class that was asked
    /// to make it; one comparison, mostly.
    @inline(__always)
    final func takeEntityClass() {
        let identity = UInt(bitPattern: ObjectIdentifier(Swift.type(of: self)))
        // SAFETY: only initialisers call this; their context's model, or that of their entity,
        // keeps the runtime.
        let settled = runtimeReference._withUnsafeGuaranteedRef {
            $0.settledClass.load(ordering: .relaxed)
        }
        if settled != identity { findEntityClass(identity) }
    }

    @inline(never)
    private final func findEntityClass(_ identity: UInt) {
        let (own, wanted) = (Swift.type(of: self), runtime.objectClass)
        guard own != wanted, wanted.isSubclass(of: own) else {
            return runtime.settledClass.store(identity, ordering: .relaxed)
        }
        require(
            ClassMetadata.instanceSize(of: wanted) == ClassMetadata.instanceSize(of: own),
            "\(own)(entity:insertInto:) cannot make an object of the class \(wanted), which has "
                + "stored properties of its own; write \(wanted)(entity:insertInto:) or "
                + "NSEntityDescription.insertNewObject(forEntityName: "
                + "\"\(runtime.entity.name)\", into:)")
        ClassMetadata.change(self, to: wanted)
    }

    /// Whether the class is another one or inherits from it.
    private static func isSubclass(of other: NSManagedObject.Type) -> Bool {
        var current: AnyClass? = self
        while let step = current {
            if step == other { return true }
            current = _getSuperclass(step)
        }
        return false
    }
}
