// SPDX-License-Identifier: Apache-2.0

/// Memory for rows; a layer above gets it from the system.
package protocol RowMemory: AnyObject {
    /// Gets memory, which is given back with the object.
    ///
    /// - Parameter byteCount: Its size; the address is a multiple of 8.
    init(byteCount: Int)

    /// The memory.
    var bytes: UnsafeMutableRawBufferPointer { get }

    /// Announces that the memory is used soon; use may begin at once.
    func prepare()
}
