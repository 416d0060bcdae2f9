// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a reader's bytes come from: an open file, or memory.
///
/// A class, because the file descriptor has one owner that closes it.
package final class ByteInput {
    /// The path that errors name.
    package let file: String
    private let descriptor: Int32
    private var memory: ArraySlice<UInt8> = []

    /// Opens a file for reading.
    ///
    /// Files are read twice, so a pipe is refused, without waiting for it.
    /// - Throws: ``ImportError/Code/cannotOpen``, also for what is no regular file.
    package init(path: String) throws(ImportError) {
        file = path
        var status = stat()
        // Checked before opening, which would trigger some devices, and again after it.
        guard stat(path, &status) != 0 || ByteInput.isRegular(status) else {
            throw ByteInput.isNoFile(path, status)
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0 { throw Self.failure(path, verb: "open", number: errno) }
        guard fstat(descriptor, &status) == 0, ByteInput.isRegular(status) else {
            throw ByteInput.isNoFile(path, status)
        }
    }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    private static func isNoFile(_ path: String, _ status: stat) -> ImportError {
        if status.st_mode & S_IFMT == S_IFDIR {
            return failure(path, verb: "read", number: EISDIR)
        }
        return ImportError(
            .cannotOpen, file: path,
            message: "cannot open: this is a pipe or a device; name a regular file")
    }

    /// Reads from memory, under a file name of the caller's choice.
    package init(bytes: [UInt8], file: String) {
        self.file = file
        descriptor = -1
        memory = bytes[...]
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Overwrites the start of `chunk` and returns the count of bytes; 0 at the end.
    package func read(into chunk: inout [UInt8]) throws(ImportError) -> Int {
        if descriptor < 0 { return readMemory(into: &chunk) }
        while true {
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            if count >= 0 { return count }
            // A signal may arrive before any byte was read; that is no failure of the file.
            if errno != EINTR { throw Self.failure(file, verb: "read", number: errno) }
        }
    }

    private func readMemory(into chunk: inout [UInt8]) -> Int {
        let part = memory.prefix(chunk.count)
        chunk.replaceSubrange(0..<part.count, with: part)
        memory = memory.dropFirst(part.count)
        return part.count
    }

    private static func failure(_ path: String, verb: String, number: Int32) -> ImportError {
        ImportError(
            .cannotOpen, file: path,
            message: "cannot \(verb): \(String(cString: strerror(number))); "
                + "check the path and its permissions")
    }
}
