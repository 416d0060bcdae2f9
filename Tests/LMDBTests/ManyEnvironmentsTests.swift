// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing

/// More files than the address space has room for at the size that each would like to reserve.
@Suite struct ManyEnvironmentsTests {
    @Test func late_files_reserve_less() async throws {
        // In a process of its own, whose address space no other test needs.
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            var environments: [Environment] = []
            for number in 0..<300 {
                let options = testOptions {
                    $0.addressSpaceBytes = 512 << 30
                    $0.durability = .none
                }
                environments.append(
                    try Environment.open(at: scratch.path("\(number).lode"), options: options))
            }
            let sizes = environments.map(\.info.mapSizeBytes)
            #expect(sizes.first == 512 << 30)
            #expect(sizes.allSatisfy { $0 >= 1 << 30 })
            #expect((sizes.last ?? 0) < 512 << 30)
            for environment in [environments[0], environments[299]] {
                let numbers = try environment.database("numbers", .integerKey)
                try environment.write { try $0.put([1, 2, 3], for: 7, in: numbers) }
                #expect(try environment.value(7, in: numbers) == [1, 2, 3])
            }
        }
    }
}
