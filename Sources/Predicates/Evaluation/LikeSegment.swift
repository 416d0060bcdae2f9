// SPDX-License-Identifier: Apache-2.0

/// What a pattern of `LIKE` has between two `*`: bytes, and places for one scalar each.
struct LikeSegment: Sendable, Hashable {
    /// The code of `?`; others are bytes.
    static let anyOne: UInt16 = 256

    let codes: [UInt16]
    /// The codes, if all are bytes.
    private let bytes: [UInt8]?

    init(_ codes: [UInt16]) {
        self.codes = codes
        bytes = codes.contains(LikeSegment.anyOne) ? nil : codes.map { UInt8($0) }
    }

    /// Where a match that begins at a place ends; `nil` where there is none.
    func end(
        in text: UnsafeRawBufferPointer, _ range: Range<Int>, steps: inout Int
    ) -> Int? {
        var position = range.lowerBound
        for code in codes {
            guard position < range.upperBound else { return nil }
            steps += 1
            if code == LikeSegment.anyOne {
                position += LikeSegment.scalarLength(text[position])
            } else if code == UInt16(text[position]) {
                position += 1
            } else {
                return nil
            }
        }
        return position <= range.upperBound ? position : nil
    }

    /// Where a match that ends at the end of a range begins; `nil` where there is none.
    func start(in text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        var position = range.upperBound
        for code in codes.reversed() {
            guard position > range.lowerBound else { return nil }
            position -= 1
            if code == LikeSegment.anyOne {
                while position > range.lowerBound, text[position] & 0xC0 == 0x80 { position -= 1 }
            } else if code != UInt16(text[position]) {
                return nil
            }
        }
        return position
    }

    /// Where the first match in a range ends; `nil` where there is none.
    ///
    /// Bytes alone are found in linear time. With a `?` each place is tried.
    ///
    /// - Parameter most: So many steps may be made for a `?`.
    func firstEnd(
        in text: UnsafeRawBufferPointer, _ range: Range<Int>, steps: inout Int, most: Int
    ) throws(PredicateEvaluationError) -> Int? {
        if let bytes {
            return ByteSearch.position(of: bytes, in: text, range, steps: &steps).map {
                $0 + bytes.count
            }
        }
        var start = range.lowerBound
        // Each code takes a byte or more.
        while start + codes.count <= range.upperBound {
            if let end = end(in: text, start..<range.upperBound, steps: &steps) { return end }
            if steps > most { throw LikeSegment.tooManySteps }
            start += LikeSegment.scalarLength(text[start])
        }
        return nil
    }

    private static var tooManySteps: PredicateEvaluationError {
        PredicateEvaluationError(
            code: .tooManySteps,
            message: "a pattern of LIKE takes too many steps on a text; write fewer than 64 "
                + "characters with a ? between two *")
    }

    private static func scalarLength(_ lead: UInt8) -> Int {
        lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    }
}
