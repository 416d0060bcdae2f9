// SPDX-License-Identifier: Apache-2.0

import CAllocations

/// What the program has asked of the allocator.
public enum Allocations {
    /// How often the calling thread has asked for memory so far.
    public static var count: Int { Int(allocation_count()) }

    /// The bytes of the heap in use, with the allocator's headers.
    public static var bytesInUse: Int { Int(heap_bytes_in_use()) }
}
