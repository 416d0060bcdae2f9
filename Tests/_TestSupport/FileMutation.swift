// SPDX-License-Identifier: Apache-2.0

/// A copy of a file while it is being changed.
struct FileMutation {
    private(set) var mutant: FileMutator.Mutant
    private let anatomy: FileAnatomy
    /// The places that were changed.
    private var touched: [Int] = []

    /// Numbers at the borders of what readers compute with.
    private static let extremes: [UInt64] = [
        0, 1, 1 << 15, (1 << 16) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, .max,
    ]

    init(_ original: [UInt8], _ anatomy: FileAnatomy) {
        mutant = FileMutator.Mutant(bytes: original)
        self.anatomy = anatomy
    }

    /// Makes one change.
    mutating func change(_ focus: FileMutator.Focus, _ random: inout MutationSource) {
        switch focus == .all ? random.below(100) : 45 + random.below(45) {
        case ..<45: changeNumber(&random)
        case ..<85: changeContent(&random)
        case ..<90: writeVarint(&random)
        case ..<97: changePages(&random)
        default: changeLength(&random)
        }
    }

    // MARK: Numbers

    /// Changes a number of LMDB's pages.
    private mutating func changeNumber(_ random: inout MutationSource) {
        let parts = FileAnatomy.Part.allCases.filter { anatomy.numbers[$0] != nil }
        guard let part = random.pick(parts), let numbers = anatomy.numbers[part],
            let number = random.pick(numbers)
        else { return }
        let other = random.pick(numbers).map { load($0.offset, $0.width) } ?? 0
        set(number.offset, number.width, "\(part)", other: other, &random)
    }

    /// Changes bytes of an entry, as a number of some width.
    private mutating func changeContent(_ random: inout MutationSource) {
        let parts = FileAnatomy.Part.allCases.filter { anatomy.contents[$0] != nil }
        guard let part = random.pick(parts), let contents = anatomy.contents[part],
            let content = random.pick(contents), !content.isEmpty
        else { return }
        let width = min([1, 1, 2, 4, 8][random.below(5)], content.count)
        // The beginning of an entry has the most numbers.
        let reach = random.below(2) == 0 ? min(content.count, 32) : content.count
        let offset = content.lowerBound + random.below(max(1, reach - width + 1))
        let other = random.pick(contents).map { load($0.lowerBound, min(8, $0.count)) } ?? 0
        set(offset, width, "\(part)", other: other, &random)
    }

    private mutating func set(
        _ offset: Int, _ width: Int, _ what: String, other: UInt64,
        _ random: inout MutationSource
    ) {
        let old = load(offset, width)
        let new: UInt64
        switch random.below(10) {
        case ..<4: new = old ^ 1 << UInt64(random.below(width * 8))
        case ..<7: new = FileMutation.extremes[random.below(FileMutation.extremes.count)]
        case 7: new = old &+ UInt64(bitPattern: Int64(random.below(17) - 8))
        case 8: new = other
        default: new = random.next()
        }
        store(new, offset, width)
        let mask = width == 8 ? UInt64.max : (1 << UInt64(width * 8)) - 1
        note("\(what) at \(offset), \(width) bytes: \(old) becomes \(new & mask)")
    }

    /// Writes a long number in groups of seven bits over bytes of an entry.
    private mutating func writeVarint(_ random: inout MutationSource) {
        let part = random.below(3) > 0 ? FileAnatomy.Part.history : .model
        guard let contents = anatomy.contents[part], let content = random.pick(contents) else {
            return
        }
        let length = 1 + random.below(10)
        guard content.count > length else { return }
        let offset = content.lowerBound + random.below(min(content.count, 64) - length + 1)
        guard offset + length <= content.upperBound else { return }
        for index in 0..<length {
            store(index == length - 1 ? [0, 1, 0x7F][random.below(3)] : 0xFF, offset + index, 1)
        }
        note("a number of \(length) groups in \(part) at \(offset)")
    }

    // MARK: Pages

    private mutating func changePages(_ random: inout MutationSource) {
        guard let first = random.pick(anatomy.pages), let second = random.pick(anatomy.pages) else {
            return
        }
        let size = anatomy.pageSize
        // The file may have been cut before.
        guard (max(first, second) + 1) * size <= mutant.bytes.count else { return }
        let ranges = [first, second].map { $0 * size..<($0 + 1) * size }
        let copies = ranges.map { Array(mutant.bytes[$0]) }
        let keepsNumber = random.below(3) > 0
        switch random.below(4) {
        case 0:
            mutant.bytes.replaceSubrange(ranges[0], with: copies[1])
            mutant.bytes.replaceSubrange(ranges[1], with: copies[0])
            note("pages \(first) and \(second) change places")
        case 1:
            mutant.bytes.replaceSubrange(ranges[0], with: Array(repeating: 0, count: size))
            note("page \(first) is empty")
        case 2:
            // The second half of another page: what a torn write leaves.
            mutant.bytes.replaceSubrange(
                ranges[0].lowerBound + size / 2..<ranges[0].upperBound,
                with: copies[1][(size / 2)...])
            note("page \(first) ends as page \(second)")
        default:
            mutant.bytes.replaceSubrange(ranges[0], with: copies[1])
            note("page \(first) is a copy of page \(second)")
        }
        guard keepsNumber else { return }
        store(UInt64(first), ranges[0].lowerBound, 8)
        if mutant.bytes[ranges[1]].elementsEqual(copies[0]) {
            store(UInt64(second), ranges[1].lowerBound, 8)
        }
    }

    private mutating func changeLength(_ random: inout MutationSource) {
        let count = mutant.bytes.count
        if random.below(4) == 0 {
            mutant.bytes += Array(repeating: 0, count: anatomy.pageSize * (1 + random.below(4)))
        } else if random.below(2) == 0 {
            mutant.bytes.removeLast(anatomy.pageSize * random.below(count / anatomy.pageSize + 1))
        } else {
            mutant.bytes.removeLast(random.below(count + 1))
        }
        note("\(mutant.bytes.count) bytes instead of \(count)")
    }

    // MARK: Bytes

    /// Gives the records that were changed the checksums of their new bytes.
    mutating func repairChecksums() {
        for record in anatomy.records
        where record.upperBound <= mutant.bytes.count
            && touched.contains(where: { record.contains($0) })
        {
            let sum = FileAnatomy.checksum(of: mutant.bytes[record])
            store(UInt64(sum), record.lowerBound + 8, 4)
            note("checksum at \(record.lowerBound)")
        }
    }

    private mutating func note(_ text: String) { mutant.story.append(text) }

    private func load(_ offset: Int, _ width: Int) -> UInt64 {
        guard offset + width <= mutant.bytes.count else { return 0 }
        return (0..<width).reduce(0) { $0 | UInt64(mutant.bytes[offset + $1]) << UInt64(8 * $1) }
    }

    private mutating func store(_ number: UInt64, _ offset: Int, _ width: Int) {
        guard offset + width <= mutant.bytes.count else { return }
        for index in 0..<width {
            mutant.bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
        }
        touched += [offset, offset + width - 1]
    }
}
