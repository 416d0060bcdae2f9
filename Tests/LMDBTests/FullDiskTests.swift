// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Testing
import _TestSupport

/// Disks without room, in processes of their own: what would go wrong ends the process.
@Suite struct FullDiskTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test func aFileIsNotCreatedOnAFullDisk() async {
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            guard let disk = SmallDisk(on: folder, byteCount: 512 << 10) else { return }
            let path = folder + "/data.lode"
            disk.fill()
            for _ in 0..<2 {
                let error = error { _ = try Environment.open(at: path, options: testOptions()) }
                #expect(error?.code == .init(rawValue: ENOSPC))
                #expect(error?.message.contains("Free some disk space") == true)
            }
            disk.empty()
            let environment = try Environment.open(at: path, options: testOptions())
            _ = try environment.database("objects")
        }
    }

    /// With a little room at first, then with a little more: whatever the room, it is an error.
    @Test func aFileIsCreatedOrNotWhateverTheRoom() async {
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            for pages in 2..<80 {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(pages)", withIntermediateDirectories: true)
                let place = "\(folder)/\(pages)"
                guard SmallDisk(on: place, byteCount: pages * 4096) != nil else { return }
                do {
                    let environment = try Environment.open(
                        at: place + "/data.lode", options: testOptions())
                    _ = try environment.database("objects")
                } catch let error as LMDBError {
                    #expect(error.code == .init(rawValue: ENOSPC), "\(pages) pages")
                }
            }
        }
    }

    /// Older versions left lock files with holes; so does LMDB.
    @Test(arguments: [false, true])
    func aFileIsNotOpenedWhereItsLockFileHasNoRoom(hasHoles: Bool) async {
        await #expect(processExitsWith: .success) {
            [folder = scratch.folder as String, hasHoles = hasHoles as Bool] in
            guard let disk = SmallDisk(on: folder, byteCount: 512 << 10) else { return }
            let path = folder + "/data.lode"
            do {
                let environment = try Environment.open(at: path, options: testOptions())
                _ = try environment.database("objects")
            }
            unlink(path + "-lock")
            if hasHoles {
                let descriptor = open(path + "-lock", O_RDWR | O_CREAT, 0o644)
                #expect(ftruncate(descriptor, 65_664) == 0)
                close(descriptor)
            }
            disk.fill()
            for isReadOnly in [false, true] {
                let code = errorCode {
                    _ = try Environment.open(
                        at: path, options: testOptions { $0.isReadOnly = isReadOnly })
                }
                #expect(code == .init(rawValue: ENOSPC))
            }
            disk.empty()
            _ = try Environment.open(at: path, options: testOptions())
        }
    }

    @Test func aWriteOnAFullDiskIsUndoneAndCanBeRepeated() async {
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            guard let disk = SmallDisk(on: folder, byteCount: 1 << 20) else { return }
            let environment = try Environment.open(
                at: folder + "/data.lode", options: testOptions())
            let objects = try environment.database("objects", .integerKey)
            try environment.write { try $0.put([1], for: 1, in: objects) }
            disk.fill()
            let write = {
                try environment.write { transaction in
                    for key in 2...40 as ClosedRange<UInt64> {
                        try transaction.put(
                            [UInt8](repeating: 2, count: 4000), for: key, in: objects)
                    }
                }
            }
            for _ in 0..<3 { #expect(errorCode { try write() } != nil) }
            #expect(try environment.value(1, in: objects) == [1])
            disk.empty()
            try write()
            #expect(try environment.read { try $0.entryCount(objects) } == 40)
            try environment.verifyPages()
        }
    }
}
