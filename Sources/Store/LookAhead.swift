// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

/// Has what a save is about to touch loaded ahead of time.
///
/// Records in key order are pages all over the memory, and waiting for each of them takes longer
/// than all that is done with it. A save that knows its next records so reads them ahead.
public struct LookAhead {
    private var lastPage: UInt = 0

    /// Looks at nothing yet.
    public init() {}

    // SAFETY: only the address of the object is used.
    /// An object will be used soon.
    ///
    /// - Parameters:
    ///   - object: The object; it is not touched.
    ///   - byteCount: How much of it is used.
    @inlinable
    @inline(__always)
    public func object<Object: AnyObject>(_ object: Unmanaged<Object>, byteCount: Int) {
        MemoryHint.willUse(object, byteCount: byteCount)
    }

    /// A record will be read soon.
    ///
    /// - Parameter record: The record, which is not read yet.
    public func values(_ record: RecordView) { MemoryHint.willRead(record.bytes) }

    /// A record will be replaced soon, and with it comes the page that it lies in.
    ///
    /// - Parameter record: The record in any state of the file; it is not read.
    public mutating func record(_ record: RecordView) {
        MemoryHint.willCopyPage(of: record.bytes, last: &lastPage)
    }
}
