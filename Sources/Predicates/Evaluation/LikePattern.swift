// SPDX-License-Identifier: Apache-2.0

/// The pattern of `LIKE`, ready to match.
///
/// `*` stands for any run of characters, `?` for exactly one Unicode scalar, and a backslash
/// takes the next character literally. The pattern covers the whole text.
public struct LikePattern: Sendable, Hashable {
    /// What is between the runs of `*`; those that are next to each other are one.
    ///
    /// One more than there are runs. Only the first and the last one may be empty.
    private let segments: [LikeSegment]
    /// How text is folded before it is matched.
    public let options: ComparisonOptions

    /// Makes a pattern; its literal parts are folded as the text will be.
    public init(_ pattern: String, options: ComparisonOptions = []) {
        var segments: [LikeSegment] = []
        var codes: [UInt16] = []
        var isEscaped = false
        for byte in TextFolding.fold(pattern, options).utf8 {
            if isEscaped {
                codes.append(UInt16(byte))
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x3F {
                codes.append(LikeSegment.anyOne)
            } else if byte == 0x2A {
                if segments.isEmpty || !codes.isEmpty { segments.append(LikeSegment(codes)) }
                codes = []
            } else {
                codes.append(UInt16(byte))
            }
        }
        if isEscaped { codes.append(0x5C) }
        segments.append(LikeSegment(codes))
        self.segments = segments
        self.options = options
    }

    /// The bytes that every matching, folded text begins with.
    public var literalPrefix: [UInt8] {
        segments[0].codes.prefix { $0 != LikeSegment.anyOne }.map { UInt8($0) }
    }

    /// Whether the prefix decides: the pattern is literal text and one `*` at its end.
    public var isPrefixPattern: Bool {
        segments.count == 2 && segments[1].codes.isEmpty
            && !segments[0].codes.contains(LikeSegment.anyOne)
    }

    /// Whether a text matches; it is folded first.
    ///
    /// - Throws: As ``matches(utf8:)``.
    public func matches(_ text: String) throws(PredicateEvaluationError) -> Bool {
        var folded = TextFolding.fold(text, options)
        let result = folded.withUTF8 { bytes in
            Result { () throws(PredicateEvaluationError) in
                try matches(utf8: UnsafeRawBufferPointer(bytes))
            }
        }
        return try result.get()
    }

    /// Whether UTF-8 text matches that is folded already, or that needs no folding.
    ///
    /// - Throws: ``PredicateEvaluationError`` with code `tooManySteps` for a pattern that repeats
    ///   itself around a `?` in a text that does so, too.
    /// - Complexity: O(*n* + *m*) in the lengths of text and pattern.
    public func matches(utf8: UnsafeRawBufferPointer) throws(PredicateEvaluationError) -> Bool {
        var steps = 0
        return try matches(utf8: utf8, steps: &steps)
    }

    /// As ``matches(utf8:)``.
    ///
    /// The first and the last segment have their places. Of each other one the first match is taken
    /// that is behind the one before: a later one leaves less for the rest.
    ///
    /// - Parameter steps: Grows by the count of bytes that were compared.
    func matches(
        utf8: UnsafeRawBufferPointer, steps: inout Int
    ) throws(PredicateEvaluationError) -> Bool {
        var rest = 0..<utf8.count
        guard let first = segments[0].end(in: utf8, rest, steps: &steps) else { return false }
        if segments.count == 1 { return first == utf8.count }
        rest = first..<utf8.count
        guard let last = segments[segments.count - 1].start(in: utf8, rest) else { return false }
        rest = first..<last
        let most = LikePattern.leastSteps + LikePattern.stepsPerByte * utf8.count
        for segment in segments[1..<segments.count - 1] {
            guard let end = try segment.firstEnd(in: utf8, rest, steps: &steps, most: most) else {
                return false
            }
            rest = end..<last
        }
        return true
    }

    /// How many steps a match may take, and some more for each byte of the text.
    ///
    /// Segments of up to 64 characters take less, whatever the text.
    private static let leastSteps = 4096
    private static let stepsPerByte = 80
}
