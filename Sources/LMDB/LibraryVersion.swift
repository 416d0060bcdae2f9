// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// The version of the LMDB library that the program runs with, which need not be the one that it
/// was built with.
struct LibraryVersion: Sendable, CustomStringConvertible {
    let major: Int32
    let minor: Int32
    let patch: Int32

    /// The version of the library that is loaded.
    static let loaded: LibraryVersion = {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        _ = mdb_version(&major, &minor, &patch)
        return LibraryVersion(major: major, minor: minor, patch: patch)
    }()

    /// Whether the pages of its files have the layout that this target reads directly.
    ///
    /// All of 0.9 has it; versions before 0.9.24 lack functions that are called.
    var isSupported: Bool { major == 0 && minor == 9 && patch >= 24 }

    var description: String { "\(major).\(minor).\(patch)" }

    /// - Throws: ``LMDBError`` with `unsupportedLibrary` for a version that is not supported.
    func check(for path: String) throws(LMDBError) {
        guard !isSupported else { return }
        throw LMDBError(
            code: .unsupportedLibrary, path: path,
            message: "Opening the file failed: the program has loaded LMDB \(self). "
                + LMDBError.Code.unsupportedLibrary.advice)
    }
}
