// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
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
        for index in indices {
            try Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
