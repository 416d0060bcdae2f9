// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files as they may be after the power was cut.
struct DiskState {
    /// How writes that were not synced are chosen.
    enum Choice: CaseIterable {
        case all, none, some, allButOne, one, torn
    }

    private(set) var files: [String: [UInt8]] = [:]

    /// Chooses which changes have reached the disk.
    init(_ disk: Disk, _ choice: Choice, _ random: inout FaultRandom) {
        var names = disk.names
        let count = disk.pendingNames.count
        let nameCount =
            switch choice {
            case .all: count
            case .none: 0
            default: random.chance(2) ? count : random.below(count + 1)
            }
        for change in disk.pendingNames.prefix(nameCount) { Disk.apply(change, &names) }
        for (path, number) in names.sorted(by: { $0.key < $1.key }) {
            var bytes = disk.files[number].bytes
            DiskState.apply(disk.files[number].pending, choice, &bytes, &random)
            files[path] = bytes
        }
    }

    private static func apply(
        _ changes: [Disk.Change], _ choice: Choice, _ bytes: inout [UInt8],
        _ random: inout FaultRandom
    ) {
        let special = random.below(changes.count)
        for (place, change) in changes.enumerated() {
            let isThere =
                switch choice {
                case .all: true
                case .none: false
                case .some: random.chance(2)
                case .allButOne: place != special
                case .one: place == special
                case .torn: true
                }
            guard isThere else { continue }
            if case .write(let offset, let new) = change, choice == .torn, random.chance(2) {
                tear(offset, new, &bytes, &random)
            } else {
                Disk.apply(change, &bytes)
            }
        }
    }

    /// Writes some of the sectors.
    private static func tear(
        _ offset: Int, _ new: [UInt8], _ bytes: inout [UInt8], _ random: inout FaultRandom
    ) {
        var start = 0
        while start < new.count {
            // To the end of the sector, wherever the write began.
            let rest = Disk.sector - (offset + start) % Disk.sector
            let end = min(new.count, start + rest)
            if random.chance(2) { Disk.write(&bytes, offset + start, new[start..<end]) }
            start = end
        }
    }

    /// Writes the files into a folder, as another run of the machine would find them.
    ///
    /// - Parameter boot: What names this run in marks; nil where the system does not tell.
    func write(from former: String, to folder: String, boot: String?) throws {
        for (path, bytes) in files where path.hasPrefix(former + "/") {
            var data = Data(bytes)
            if path.hasSuffix("-open"), let boot {
                let text = String(decoding: bytes, as: UTF8.self)
                let other = String(boot.map { $0 == "0" ? "1" : $0.isHexDigit ? "0" : $0 })
                if text.contains(boot) {
                    data = Data(text.replacingOccurrences(of: boot, with: other).utf8)
                }
            }
            let url = URL(fileURLWithPath: folder + path.dropFirst(former.count))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
    }
}
