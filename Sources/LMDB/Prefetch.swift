// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Asks the processor to bring the first bytes of a value near, without waiting for them.
///
/// For who finds many values now and reads them a little later: the processor then waits for
/// several of them at a time. No effect but on time, whatever the address.
///
/// - Parameter bytes: The value; its first 128 bytes are asked for.
@inlinable
public func prefetch(_ bytes: UnsafeRawBufferPointer) {
    guard let address = bytes.baseAddress else { return }
    lode_prefetch(address)
    lode_prefetch(address + min(bytes.count, 64))
}
