// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The machine's processors.
enum Processors {
    /// How many can work, at least 1.
    static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
