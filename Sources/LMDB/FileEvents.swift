// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The kernel's notifications of writes to files by any process.
///
/// ``descriptor`` becomes readable when a file changes; nothing happens while none does.
public final class FileEvents: Sendable {
    /// What to wait for.
    public let descriptor: Int32

    #if os(Linux)
        /// Makes a queue of events.
        ///
        /// - Throws: ``LMDBError`` with an `errno` value, such as `EMFILE` where the user has too
        ///   many such queues.
        public init() throws(LMDBError) {
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else {
                throw LMDBError(.init(rawValue: errno), path: "inotify", during: "Watching files")
            }
        }

        deinit { close(descriptor) }

        /// Checks that the process may open so many more files.
        ///
        /// - Throws: ``LMDBError`` with `EMFILE`.
        public static func checkRoom(_ count: Int) throws(LMDBError) {
            var opened: [Int32] = []
            defer { for descriptor in opened { close(descriptor) } }
            for _ in 0..<count {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else {
                    throw LMDBError(
                        .init(rawValue: errno), path: "inotify", during: "Watching files")
                }
                opened.append(descriptor)
            }
        }

        /// Begins to watch a file and returns its number, the same for all paths of the file.
        ///
        /// - Throws: ``LMDBError`` with an `errno` value, such as `ENOSPC` where the user watches
        ///   too many files.
        public func add(_ path: String) throws(LMDBError) -> Int32 {
            let number = inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
            guard number >= 0 else {
                throw LMDBError(.init(rawValue: errno), path: path, during: "Watching the file")
            }
            return number
        }

        /// Ends watching a file.
        public func remove(_ number: Int32) { _ = inotify_rm_watch(descriptor, number) }

        /// Takes all events; returns the numbers of the files, `nil` where some were lost.
        public func take() -> Set<Int32>? {
            var numbers: Set<Int32> = []
            var isComplete = true
            // Events of files without a name beside them have the size of the struct.
            let size = MemoryLayout<inotify_event>.size
            withUnsafeTemporaryAllocation(byteCount: 64 * size, alignment: 8) { buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    guard count >= size else { return }
                    for offset in stride(from: 0, to: count, by: size) {
                        let event = buffer.loadUnaligned(
                            fromByteOffset: offset, as: inotify_event.self)
                        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
                        numbers.insert(event.wd)
                    }
                }
            }
            return isComplete ? numbers : nil
        }
    #else
        /// Throws: only Linux has such a queue.
        public init() throws(LMDBError) {
            throw LMDBError(.init(rawValue: ENOSYS), path: "inotify", during: "Watching files")
        }

        /// There is no queue to make room for.
        public static func checkRoom(_ count: Int) throws(LMDBError) {}

        /// Watches nothing.
        public func add(_ path: String) throws(LMDBError) -> Int32 { -1 }

        /// Does nothing.
        public func remove(_ number: Int32) {}

        /// No events.
        public func take() -> Set<Int32>? { [] }
    #endif
}
