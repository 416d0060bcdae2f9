// SPDX-License-Identifier: Apache-2.0

import _TestSupport

/// A repeatable source of random numbers for one step of one kind of run.
///
/// Each step has a sequence of its own, so that it can be repeated alone.
public struct FaultRandom: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Starts the sequence of a step.
    public init(_ seed: UInt64, _ stream: String, _ step: Int) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        for byte in stream.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        state &+= UInt64(bitPattern: Int64(step)) &* 0xD134_2543_DE82_EF95
        numbers = SplitMix64(state: state)
        _ = next()
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { numbers.next() }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}

extension FaultRandom {
    /// A seed for something that belongs to a step.
    static func seed(_ seed: UInt64, _ stream: String, _ step: Int) -> UInt64 {
        var random = FaultRandom(seed, stream + " seed", step)
        return random.next() >> 1
    }
}
