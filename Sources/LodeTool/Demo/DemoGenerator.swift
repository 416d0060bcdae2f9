// SPDX-License-Identifier: Apache-2.0

/// Numbers that depend on the seed only (SplitMix64).
struct DemoGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A name of two to four syllables.
    mutating func name() -> String {
        let syllables = [
            "ba", "dor", "el", "fin", "gar", "hul", "ir", "ka", "lo", "mir", "na", "or", "pel",
            "quo", "ra", "sil", "tor", "um", "vae", "wen", "yr", "zan",
        ]
        let text = (0..<Int.random(in: 2...4, using: &self)).map { _ in
            syllables[Int.random(in: 0..<syllables.count, using: &self)]
        }.joined()
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
