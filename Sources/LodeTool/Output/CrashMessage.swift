// SPDX-License-Identifier: Apache-2.0

import Lode

/// Turns the signals that a damaged file can cause into a message and exit status 1.
///
/// LMDB trusts its pages. Checking them all before each command would take as long as reading the
/// file, so larger files are checked only when asked, and this is what happens with the others.
enum CrashMessage {
    private static let text: StaticString = """
        lode: the file cannot be read: it is probably damaged. Check it with \
        lode inspect --verify, and restore it from a copy.\n
        """

    /// Handles the signals of this process until it ends.
    static func install() {
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
            signal(number) { _ in
                // Nothing but calls that are allowed in a signal handler.
                CrashMessage.text.withUTF8Buffer { _ = write(2, $0.baseAddress, $0.count) }
                _exit(1)
            }
        }
    }
}
