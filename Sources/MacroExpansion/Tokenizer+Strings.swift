// SPDX-License-Identifier: Apache-2.0

extension Tokenizer {
    /// Whether the `#` at the position begins a raw string rather than a
    /// directive.
    func hashesOpenString() -> Bool {
        var distance = 0
        while peek(distance) == Ascii.hash { distance += 1 }
        return peek(distance) == Ascii.quote
    }

    /// Moves past all the hashes at the position: looking at them one by one
    /// would read a long row over and over.
    mutating func skipHashes() {
        while peek() == Ascii.hash { position += 1 }
    }

    /// Moves past the string literal that begins at the position.
    mutating func skipString(depth: Int) {
        var hashes = 0
        while peek() == Ascii.hash {
            hashes += 1
            position += 1
        }
        let isLong = peek(1) == Ascii.quote && peek(2) == Ascii.quote
        position += isLong ? 3 : 1
        while let byte = peek() {
            if byte == Ascii.quote, skipClosing(hashes: hashes, isLong: isLong) { return }
            if byte == Ascii.backslash, skipHashes(hashes, after: 1) {
                if peek() == Ascii.open, depth < Self.deepestNesting {
                    skipInterpolation(depth: depth + 1)
                } else {
                    position += 1
                }
            } else if !isLong, Ascii.isLineBreak(byte) {
                return
            } else {
                position += 1
            }
        }
        // A backslash as the last byte moves one too far.
        position = min(position, bytes.count)
    }

    private mutating func skipClosing(hashes: Int, isLong: Bool) -> Bool {
        if isLong {
            guard peek(1) == Ascii.quote, peek(2) == Ascii.quote else { return false }
        }
        return skipHashes(hashes, after: isLong ? 3 : 1)
    }

    /// Moves past `distance` bytes and the hashes after them, if all are there.
    private mutating func skipHashes(_ hashes: Int, after distance: Int) -> Bool {
        for index in 0..<hashes where peek(distance + index) != Ascii.hash { return false }
        position += distance + hashes
        return true
    }

    /// Moves past the parentheses of an interpolation and the strings in them.
    private mutating func skipInterpolation(depth: Int) {
        var open = 0
        while let byte = peek() {
            if byte == Ascii.quote || (byte == Ascii.hash && hashesOpenString()) {
                skipString(depth: depth)
                continue
            }
            if byte == Ascii.hash {
                skipHashes()
                continue
            }
            position += 1
            if byte == Ascii.open { open += 1 }
            if byte == Ascii.close { open -= 1 }
            if open == 0 { return }
        }
    }
}
