// SPDX-License-Identifier: Apache-2.0

import CSwiftRuntime

// SAFETY: each call site states why the memory of the object is there.
extension Unmanaged {
    /// The object, retained, unless its deinit has begun on some thread.
    ///
    /// The memory of the object has to be there still.
    @inlinable @inline(__always)
    package var living: Instance? {
        // SAFETY: where the runtime's function answers, it has retained the object.
        swift_tryRetain(toOpaque()) == nil ? nil : takeRetainedValue()
    }
}
