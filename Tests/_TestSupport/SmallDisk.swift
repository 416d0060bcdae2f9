// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file system of a few kilobytes in memory, that only the calling thread sees.
///
/// For exit tests, whose process ends afterwards: the thread keeps its own list of file systems.
public struct SmallDisk {
    private let folder: String

    private typealias Unshare = @convention(c) (Int32) -> Int32
    private typealias Text = UnsafePointer<CChar>?
    private typealias Mount = @convention(c) (Text, Text, Text, UInt, UnsafeRawPointer?) -> Int32

    /// Mounts it on an existing folder; nil, with a message, where this user may not.
    public init?(on folder: String, byteCount: Int) {
        self.folder = folder
        let isMounted = SmallDisk.function("unshare", Unshare.self).map { unshare in
            // CLONE_NEWNS
            unshare(0x0002_0000) == 0
        }
        guard isMounted == true, let mount = SmallDisk.function("mount", Mount.self),
            // MS_REC | MS_PRIVATE: what is mounted here stays here.
            mount("none", "/", nil, 0x4000 | 0x40000, nil) == 0,
            "size=\(byteCount)".withCString({ mount("tmpfs", folder, "tmpfs", 0, $0) }) == 0
        else {
            print("skipped: this user may not mount a file system")
            return nil
        }
    }

    /// Writes a file until nothing fits any more.
    public func fill() {
        let descriptor = open(folder + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o644)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
        close(descriptor)
    }

    /// Gives the room back.
    public func empty() { unlink(folder + "/filler") }

    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        // Swift's Glibc module has neither of them.
        guard let symbol = dlsym(nil, name) else { return nil }
        // SAFETY: the types are those of the system's manual.
        return unsafeBitCast(symbol, to: type)
    }
}
