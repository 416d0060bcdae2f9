// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a process did to the files of a folder, in order.
struct WriteLog {
    enum Entry {
        /// A file got a name; its content is empty.
        case create(String, file: UInt64)
        case write(file: UInt64, offset: Int, [UInt8], isSynced: Bool)
        case sync(file: UInt64)
        case size(file: UInt64, Int, growsOnly: Bool)
        case rename(String, to: String)
        /// A file got another name.
        case link(String, to: String)
        case unlink(String)
        /// A step was acknowledged.
        case note(Int)
    }

    private(set) var entries: [Entry] = []
    /// The folder itself, whose syncs make names durable.
    private(set) var folder: UInt64 = 0

    /// Reads what the interposer has written.
    init(path: String, folder folderPath: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var place = 0
        func number(_ offset: Int, _ width: Int) -> UInt64 {
            (0..<width).reduce(0) { $0 | UInt64(bytes[place + offset + $1]) << (8 * UInt64($1)) }
        }
        while place + 32 <= bytes.count {
            let (kind, flags, file) = (number(0, 4), number(4, 4), number(8, 8))
            let (offset, size) = (Int(number(16, 8)), Int(number(24, 8)))
            guard place + 32 + size <= bytes.count else { throw Violation("the record is cut") }
            let content = Array(bytes[place + 32..<place + 32 + size])
            let text = String(decoding: content, as: UTF8.self)
            switch kind {
            case 1:
                if text == folderPath {
                    folder = file
                } else if flags == 1 {
                    entries.append(.create(text, file: file))
                }
            case 2:
                entries.append(
                    .write(file: file, offset: offset, content, isSynced: flags == 1))
            case 3: entries.append(.sync(file: file))
            case 4: entries.append(.size(file: file, offset, growsOnly: flags == 1))
            case 5:
                let names = text.split(separator: "\0").map(String.init)
                entries.append(
                    flags == 1
                        ? .link(names[0], to: names[1]) : .rename(names[0], to: names[1]))
            case 6: entries.append(.unlink(text))
            case 7: entries.append(.note(offset))
            default: throw Violation("the record has an entry of kind \(kind)")
            }
            place += 32 + size
        }
    }

    /// Leaves out every sync: what would happen if none was made.
    mutating func dropSyncs() {
        entries = entries.compactMap { entry in
            switch entry {
            case .sync: nil
            case .write(let file, let offset, let bytes, _):
                .write(file: file, offset: offset, bytes, isSynced: false)
            default: entry
            }
        }
    }
}
