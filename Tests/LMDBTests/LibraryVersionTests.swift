// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LMDB

/// Which LMDB libraries a program may run with.
@Suite struct LibraryVersionTests {
    @Test(
        arguments: [
            (0, 9, 23, false), (0, 9, 24, true), (0, 9, 31, true), (0, 9, 33, true),
            (0, 9, 70, true),
            (0, 8, 30, false), (0, 10, 0, false), (0, 10, 24, false), (1, 0, 0, false),
            (1, 9, 24, false),
        ] as [(Int32, Int32, Int32, Bool)])
    func only_0_9_from_24_on_fits(
        _ major: Int32, _ minor: Int32, _ patch: Int32, _ fits: Bool
    ) {
        let version = LibraryVersion(major: major, minor: minor, patch: patch)
        #expect(version.isSupported == fits)
        let error = error { try version.check(for: "/a.lode") }
        #expect((error == nil) == fits)
        #expect(fits || error?.code == .unsupportedLibrary)
        #expect(fits || error?.path == "/a.lode")
    }

    @Test func the_error_names_the_version() {
        let error = error {
            try LibraryVersion(major: 1, minor: 0, patch: 2).check(for: "/a.lode")
        }
        #expect(
            error?.message
                == "Opening the file failed: the program has loaded LMDB 1.0.2. Run it with LMDB "
                + "0.9, from 0.9.24 on: the package liblmdb0 of Debian and Ubuntu.")
    }

    @Test func the_loaded_one_fits() {
        #expect(LibraryVersion.loaded.isSupported)
        #expect(LibraryVersion.loaded.description.hasPrefix("0.9."))
    }
}
