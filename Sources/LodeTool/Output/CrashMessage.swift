// SPDX-License-Identifier: Apache-2.0

import Lode

/// Turns the signals that a damaged file can cause into a message and exit status 1.
///
/// LMDB trusts its pages. Checking them all before each command would take as long as reading the
/// file, so larger files are checked only on request. This covers the unchecked ones.
enum CrashMessage {
    private static let text: StaticString = """
        lode: the file cannot be read: it is probably damaged. Check it with \
        lode inspect --verify, and restore it from a copy.\n
        """

    /// SIGILL and SIGTRAP are what Swift's own checks end with.
    private static let signals = [SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP]

    /// Handles the signals of this process until it ends.
    static func install() {
        #if canImport(Glibc)
            // A stack of its own: the thread's may be what is used up.
            let byteCount = 65_536
            var stack = stack_t()
            stack.ss_sp = .allocate(byteCount: byteCount, alignment: 16)
            stack.ss_size = byteCount
            sigaltstack(&stack, nil)
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in CrashMessage.end() }
            action.sa_flags = Int32(SA_ONSTACK)
            for number in signals { sigaction(number, &action, nil) }
        #else
            for number in signals { signal(number) { _ in CrashMessage.end() } }
        #endif
    }

    /// Nothing but calls that are allowed in a signal handler.
    private static func end() -> Never {
        text.withUTF8Buffer { _ = write(2, $0.baseAddress, $0.count) }
        _exit(1)
    }
}
