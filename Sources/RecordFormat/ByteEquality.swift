// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// Whether the same bytes are in another place.
    ///
    /// `elementsEqual` compares them one by one, which takes ten times as long.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return count == 0 }
        return memcmp(first, second, count) == 0
    }
}
