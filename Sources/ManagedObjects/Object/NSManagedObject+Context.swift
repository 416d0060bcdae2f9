// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// What the objects of the entity have in common, retained for as long as the caller uses it.
    final var runtime: EntityRuntime {
        @inline(__always) get { runtimeReference.takeUnretainedValue() }
    }

    /// The place of the entity in its model.
    final var runtimeOrdinal: Int {
        @inline(__always) get { runtimeReference._withUnsafeGuaranteedRef { $0.ordinal } }
    }

    /// The context, retained for as long as the caller uses it.
    final var context: NSManagedObjectContext? {
        @inline(__always) get { contextReference?.takeUnretainedValue() }
        set {
            if newValue == nil { keepRuntime() }
            contextReference = newValue.map { Unmanaged.passUnretained($0) }
        }
    }
}

extension ContiguousArray where Element: AnyObject {
    /// Calls a body with each element without retaining it: the array keeps it alive.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try self[...].forEachUnretained(body)
    }
}

extension ArraySlice where Element: AnyObject {
    /// Calls a body with each element without retaining it: the slice keeps it alive.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        for index in indices {
            try Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
