// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock that belongs to an open file, on all of it or on some bytes.
struct OpenFileLock {
    // The system's headers declare these commands for GNU C only.
    #if canImport(Darwin)
        private static let ask: Int32 = 92
        private static let take: Int32 = 90
        private static let wait: Int32 = 91
    #else
        private static let ask: Int32 = 36
        private static let take: Int32 = 37
        private static let wait: Int32 = 38
    #endif

    /// The open file.
    let descriptor: Int32
    /// The first byte, which may lie behind the end of the file; nil for the whole file.
    var byte: off_t?
    /// The number of bytes.
    var length: off_t = 1

    /// Takes the lock, changes it or, with `F_UNLCK`, gives it back; false with `errno` where
    /// others are in the way.
    func set(_ kind: Int32) -> Bool {
        var request = request(kind)
        return fcntl(descriptor, OpenFileLock.take, &request) == 0
    }

    /// As ``set(_:)``, and waits for others.
    func wait(_ kind: Int32) -> Bool {
        var request = request(kind)
        return fcntl(descriptor, OpenFileLock.wait, &request) == 0
    }

    /// Whether no other open file holds a lock there; nil if the system cannot say.
    var isFree: Bool? {
        var request = request(F_WRLCK)
        guard fcntl(descriptor, OpenFileLock.ask, &request) == 0 else { return nil }
        return request.l_type == Int16(F_UNLCK)
    }

    private func request(_ kind: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(kind)
        request.l_whence = Int16(SEEK_SET)
        if let byte {
            request.l_start = byte
            request.l_len = length
        }
        return request
    }
}
