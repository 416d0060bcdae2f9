// SPDX-License-Identifier: Apache-2.0

/// Where a healthy data file has its numbers: those of LMDB's pages, and the entries of Lode.
struct FileAnatomy: Sendable {
    /// What a number or an entry is part of.
    enum Part: String, CaseIterable, Sendable {
        /// LMDB's header pages, trees, pages and entries.
        case header, tree, page, position, entry, subpage, overflow
        case freeList
        /// Lode's entries.
        case meta, model, row, record, link, index, blob, component, history
    }

    struct Number: Sendable {
        let offset: Int
        let width: Int
    }

    let pageSize: Int
    /// The pages in use, but for the later ones of large values.
    private(set) var pages: [Int] = []
    private(set) var numbers: [Part: [Number]] = [:]
    private(set) var contents: [Part: [Range<Int>]] = [:]
    private(set) var records: [Range<Int>] = []
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        pageSize = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
        for page in 0..<2 {
            // Flags, magic, version, map, then two trees, the last page and the transaction.
            note(.header, page * pageSize, [(10, 2), (16, 4), (20, 4), (24, 8), (32, 8)])
            note(.header, page * pageSize, [(136, 8), (144, 8)])
            noteTree(at: page * pageSize + 40)
            noteTree(at: page * pageSize + 88)
        }
        let newest = number(144, 8) >= number(pageSize + 144, 8) ? 0 : pageSize
        walk(number(newest + 80, 8), "free list", isMain: false)
        walk(number(newest + 128, 8), "", isMain: true)
    }

    private func number(_ offset: Int, _ width: Int) -> Int {
        Int(
            truncatingIfNeeded: (0..<width).reduce(0 as UInt64) {
                $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1)
            })
    }

    private mutating func note(_ part: Part, _ base: Int, _ fields: [(Int, Int)]) {
        numbers[part, default: []] += fields.map { Number(offset: base + $0.0, width: $0.1) }
    }

    private mutating func noteTree(at base: Int) {
        note(
            .tree, base,
            [(0, 4), (4, 2), (6, 2), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8)])
    }

    // MARK: Trees

    /// Goes through the pages of a tree.
    private mutating func walk(_ root: Int, _ name: String, isMain: Bool) {
        guard root >= 2 else { return }
        let base = root * pageSize
        pages.append(root)
        note(.page, base, [(0, 8), (8, 2), (10, 2), (12, 2), (14, 2)])
        let flags = number(base + 10, 2)
        let count = (number(base + 12, 2) - 16) / 2
        if flags & 0x20 != 0 {
            let size = number(base + 8, 2)
            for index in 0..<count {
                noteValue(base + 16 + index * size..<base + 16 + (index + 1) * size, name)
            }
            return
        }
        for index in 0..<count {
            note(.position, base + 16 + 2 * index, [(0, 2)])
            let node = base + number(base + 16 + 2 * index, 2)
            note(.entry, node, [(0, 4), (4, 2), (6, 2)])
            if flags & 1 != 0 {
                walk(number(node, 4) | number(node + 4, 2) << 32, name, isMain: isMain)
            } else {
                noteEntry(node, name, isMain: isMain)
            }
        }
    }

    private mutating func noteEntry(_ node: Int, _ name: String, isMain: Bool) {
        let (size, flags) = (number(node, 4), number(node + 4, 2))
        let key = node + 8..<node + 8 + number(node + 6, 2)
        let value = key.upperBound..<key.upperBound + size
        if isMain {
            let text = String(decoding: bytes[key], as: UTF8.self)
            noteTree(at: value.lowerBound)
            return walk(number(value.lowerBound + 40, 8), text, isMain: false)
        }
        noteKey(key, name)
        switch flags {
        case 1:
            let page = number(value.lowerBound, 8)
            pages.append(page)
            note(.overflow, value.lowerBound, [(0, 8)])
            note(.overflow, page * pageSize, [(0, 8), (10, 2), (12, 4)])
            let start = page * pageSize + 16
            noteValue(start..<start + size, name, String(decoding: bytes[key], as: UTF8.self))
        case 4: noteSubpage(value.lowerBound, name)
        case 6:
            noteTree(at: value.lowerBound)
            walk(number(value.lowerBound + 40, 8), name, isMain: false)
        default: noteValue(value, name, String(decoding: bytes[key], as: UTF8.self))
        }
    }

    private mutating func noteSubpage(_ base: Int, _ name: String) {
        note(.subpage, base, [(0, 8), (8, 2), (10, 2), (12, 2), (14, 2)])
        let size = number(base + 8, 2)
        guard number(base + 10, 2) & 0x20 != 0 else { return }
        for index in 0..<(number(base + 12, 2) - 16) / 2 {
            noteValue(base + 16 + index * size..<base + 16 + (index + 1) * size, name)
        }
    }

    // MARK: Entries

    private mutating func noteKey(_ key: Range<Int>, _ name: String) {
        let part: Part? =
            switch name.prefix(2) {
            case "o.", "r.", "s.": .row
            case "x.": .index
            default: ["blobs": .blob, "history": .row, "free list": .freeList][name] ?? .component
            }
        if let part, name != "meta" { contents[part, default: []].append(key) }
    }

    private mutating func noteValue(_ value: Range<Int>, _ name: String, _ key: String = "") {
        let part: Part
        switch name.prefix(2) {
        case "o.":
            part = .record
            records.append(value)
        case "r.", "s.", "x.": part = .link
        default:
            switch name {
            case "meta": part = ["model", "catalog"].contains(key) ? .model : .meta
            case "blobs": part = .blob
            case "history": part = .history
            case "free list": part = .freeList
            default: part = .component
            }
        }
        contents[part, default: []].append(value)
    }

    /// The checksum of a record, as the description of the file format has it.
    static func checksum(of record: ArraySlice<UInt8>) -> UInt32 {
        var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(record.count)
        for offset in stride(from: 0, to: record.count, by: 8) {
            let start = record.startIndex + offset
            var word: UInt64 = 0
            for (index, byte) in record[start..<min(start + 8, record.endIndex)].enumerated() {
                word |= UInt64(byte) << UInt64(8 * index)
            }
            if offset == 8 { word &= 0xFFFF_FFFF_0000_0000 }
            hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
        }
        return UInt32(truncatingIfNeeded: hash ^ (hash >> 29))
    }
}
