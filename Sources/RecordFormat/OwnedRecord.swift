// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// A copy of a record that outlives its snapshot.
public final class OwnedRecord {
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies the bytes of a view.
    public init(_ view: RecordView) {
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: view.byteCount, alignment: 8)
        storage.copyMemory(from: view.bytes)
    }

    /// Copies the bytes of a view and changes the copy.
    public init(_ view: RecordView, _ edit: (UnsafeMutableRawBufferPointer) -> Void) {
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: view.byteCount, alignment: 8)
        storage.copyMemory(from: view.bytes)
        edit(storage)
    }

    deinit { storage.deallocate() }

    /// The copy; valid as long as this object.
    public var view: RecordView {
        guard let view = RecordView(UnsafeRawBufferPointer(storage)) else {
            trap("a copied record of \(storage.count) bytes lost its header")
        }
        return view
    }
}
