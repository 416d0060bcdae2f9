// SPDX-License-Identifier: Apache-2.0

/// Numbers of pages.
///
/// A bit for each page, kept in portions that come with their first page: a file with holes may
/// have more pages than memory has bits.
struct PageSet {
    /// 8 KiB of bits.
    private static let wordsOfPortion: UInt64 = 1_024

    private var portions: [UInt64: [UInt64]] = [:]

    /// Adds a page; returns false where it was there.
    mutating func insert(_ page: UInt64) -> Bool {
        let word = page / 64
        let bit = UInt64(1) << (page % 64)
        let place = Int(word % Self.wordsOfPortion)
        let empty = { [UInt64](repeating: 0, count: Int(Self.wordsOfPortion)) }
        let former = portions[word / Self.wordsOfPortion, default: empty()][place]
        guard former & bit == 0 else { return false }
        portions[word / Self.wordsOfPortion, default: empty()][place] = former | bit
        return true
    }
}
