// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Synchronization
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

    @Test func room_that_another_thread_has_for_a_moment_is_waited_for() async throws {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let isDone = Atomic<Bool>(false)
            let isTaken = DispatchSemaphore(value: 0)
            let thread = Thread {
                while !isDone.load(ordering: .relaxed) {
                    let regions = AddressSpace.takeAll()
                    isTaken.signal()
                    usleep(3000)
                    AddressSpace.giveBack(regions)
                    usleep(1000)
                }
            }
            thread.start()
            var environments: [Environment] = []
            for number in 0..<20 {
                isTaken.wait()
                let options = testOptions {
                    $0.addressSpaceBytes = 512 << 30
                    $0.durability = .none
                }
                environments.append(
                    try Environment.open(at: scratch.path("\(number).lode"), options: options))
            }
            isDone.store(true, ordering: .relaxed)
            #expect(environments.allSatisfy { $0.info.mapSizeBytes >= 1 << 30 })
        }
    }
}

/// The process's whole address space but for regions of less than a GiB, as small allocations need.
private enum AddressSpace {
    static func takeAll() -> [UnsafeMutableRawBufferPointer] {
        var regions: [UnsafeMutableRawBufferPointer] = []
        var size = 1 << 46
        while size >= 1 << 30 {
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
            let map = mmap(nil, size, PROT_NONE, Int32(flags), -1, 0)
            guard let map, map != MAP_FAILED else {
                size /= 2
                continue
            }
            regions.append(UnsafeMutableRawBufferPointer(start: map, count: size))
        }
        return regions
    }

    static func giveBack(_ regions: [UnsafeMutableRawBufferPointer]) {
        for region in regions { munmap(region.baseAddress, region.count) }
    }
}
