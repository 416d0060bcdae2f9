// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes a large commit to the disk while LMDB is still handing its pages over.
///
/// A commit copies its pages into the page cache, call by call, and then waits for the disk. With
/// thousands of pages all over the file both take long; a second thread lets them run at the same
/// time. It does nothing that the kernel might not do by itself at any time: only LMDB's own sync,
/// which follows, makes the commit durable.
final class EarlyWriteback: Sendable {
    private let file: Int32
    private let isOver = Atomic<Bool>(false)
    /// How often pages have been written.
    let rounds = Atomic<Int>(0)

    /// - Parameter file: A descriptor that no other code uses; see `during`.
    private init(_ file: Int32) { self.file = file }

    deinit { close(file) }

    /// Runs a body that writes to a file and syncs it, and returns its result.
    ///
    /// - Parameters:
    ///   - file: The body's descriptor of the file.
    ///   - body: Gets the work of the other thread, or nil where there is none.
    static func during<Result>(_ file: Int32, _ body: (EarlyWriteback?) -> Result) -> Result {
        #if os(Linux)
            // A failed write is reported once to each opening of a file. LMDB's sync must not miss
            // it, so the other thread has an opening of its own.
            let own = open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC)
            guard own >= 0 else { return body(nil) }
            let writeback = EarlyWriteback(own)
            guard let thread = writeback.start() else { return body(nil) }
            let result = body(writeback)
            writeback.isOver.store(true, ordering: .releasing)
            pthread_join(thread, nil)
            return result
        #else
            return body(nil)
        #endif
    }

    #if os(Linux)
        private func start() -> pthread_t? {
            var thread = pthread_t()
            // SAFETY: the thread takes over the reference that is made here, once. Where no thread
            // begins, this function releases it.
            let reference = Unmanaged.passRetained(self)
            let status = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<EarlyWriteback>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, reference.toOpaque())
            if status == 0 { return thread }
            reference.release()
            return nil
        }

        private func run() {
            while !isOver.load(ordering: .acquiring) {
                // The whole file each time: pages that are written already cost next to nothing.
                guard lode_write_back(file) == 0 else { return }
                rounds.add(1, ordering: .relaxed)
                pauseBriefly()
            }
        }
    #endif
}
