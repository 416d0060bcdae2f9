// SPDX-License-Identifier: Apache-2.0

/// Makes damaged copies of a data file: the pages of LMDB and the entries of Lode, changed where
/// they hold numbers that a reader may believe.
///
/// Each copy has a number and is the same each time, so that a test can name the one that it
/// stumbled over.
///
/// ```swift
/// let mutator = FileMutator(healthy, seed: 1)
/// let mutant = mutator.mutant(17)
/// try Data(mutant.bytes).write(to: url)
/// ```
public struct FileMutator: Sendable {
    /// A damaged copy.
    public struct Mutant: Sendable {
        /// The file.
        public var bytes: [UInt8]
        /// What was done to it.
        public var story: [String] = []
    }

    /// What is changed.
    public enum Focus: Sendable {
        /// Anything.
        case all
        /// The entries alone: the pages of nearly all copies stay as healthy as they are.
        case entries
    }

    /// The seed of all copies.
    public let seed: UInt64
    private let focus: Focus
    let original: [UInt8]
    let anatomy: FileAnatomy

    /// Takes a healthy file apart.
    ///
    /// - Parameters:
    ///   - original: The bytes of the file; with other than a healthy one this may trap.
    ///   - seed: Together with its number it decides what a copy is like.
    ///   - focus: What is changed.
    public init(_ original: [UInt8], seed: UInt64, focus: Focus = .all) {
        self.original = original
        self.seed = seed
        self.focus = focus
        anatomy = FileAnatomy(original)
    }

    /// The copy of a number.
    public func mutant(_ number: Int) -> Mutant {
        var random = MutationSource(seed, number)
        var mutation = FileMutation(original, anatomy)
        var count = random.below(100) < 60 ? 1 : 2 + random.below(4)
        while count > 0 {
            mutation.change(focus, &random)
            count -= 1
        }
        // The others show whether checksums are looked at.
        if random.below(100) < 70 { mutation.repairChecksums() }
        return mutation.mutant
    }
}

/// Numbers that begin anew for each copy.
struct MutationSource {
    private var numbers: SplitMix64

    init(_ seed: UInt64, _ number: Int) {
        numbers = SplitMix64(
            state: seed &* 0xD134_2543_DE82_EF95 &+ UInt64(bitPattern: Int64(number)))
        _ = next()
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to a limit, which is greater than 0.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// One of some elements; nil where there are none.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
