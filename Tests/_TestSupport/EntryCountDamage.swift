// SPDX-License-Identifier: Apache-2.0

/// Changes how many entries a data file says that one of its databases has.
///
/// - Parameters:
///   - name: The name of the database.
///   - count: The number that the file gives from now on.
///   - bytes: The file, closed.
/// - Returns: The number of places: later commits leave copies of what they replaced.
public func setEntryCount(
    of name: String, to count: UInt64, in bytes: inout [UInt8]
) -> Int {
    // A record of 48 bytes, the flag of a database, and the size of the key.
    let head = [48, 0, 0, 0, 2, 0, UInt8(name.utf8.count), 0] + Array(name.utf8)
    var places = 0
    for start in 0..<bytes.count - head.count - 48
    where bytes[start..<start + head.count].elementsEqual(head) {
        let entries = start + head.count + 32
        for byte in 0..<8 {
            bytes[entries + byte] = UInt8(truncatingIfNeeded: count >> UInt64(8 * byte))
        }
        places += 1
    }
    return places
}
