// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing
import _TestSupport

@testable import Orbits

@Suite struct CommandLineTests {
    @Test(arguments: [["a.lode", "-5"], ["a.lode", "many", "500"], ["a.lode", "1", "2", "3"]])
    func words_that_are_no_numbers_are_refused(_ words: [String]) {
        #expect(Main.failure(of: words) == "usage: Orbits [FILE [TICKS [BODIES]]]")
    }

    @Test func a_file_that_is_no_simulation_is_an_error_that_says_so() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/junk.lode"
            try Data("junk".utf8).write(to: URL(fileURLWithPath: path))
            let message = Main.failure(of: [path, "1", "10"]) ?? ""
            #expect(message.contains("junk.lode") && message.contains("no LMDB file"), "\(message)")
        }
    }
}
