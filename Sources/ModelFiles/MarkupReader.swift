// SPDX-License-Identifier: Apache-2.0

/// Reads the XML of model files: elements, attributes, comments and references.
///
/// Foundation's parser, as of Swift 6.3, ends the program for some damaged documents and where two
/// threads read at a time, and would make each program load libxml2 and ICU as it starts. What
/// model files do not have is refused and never guessed at: document types with their entities, and
/// encodings other than UTF-8.
struct MarkupReader {
    /// How many elements may be in each other.
    ///
    /// Xcode needs five; a hostile file must not use up the stack.
    private static let greatestDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// Makes a reader of a whole document.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the document.
    ///
    /// - Returns: The outermost element.
    /// - Throws: ``ModelFileError`` with the line.
    /// - Complexity: O(*n*) for *n* bytes.
    mutating func read() throws(ModelFileError) -> MarkupElement {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw fault("the file is no UTF-8 text; save it as UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try skipBetween()
        guard current == UInt8(ascii: "<") else { throw fault("the file is no XML document") }
        let root = try element(depth: 1)
        try skipBetween()
        guard position == bytes.count else {
            throw fault("the document goes on after </\(root.name)>")
        }
        return root
    }

    // MARK: Elements

    private mutating func element(depth: Int) throws(ModelFileError) -> MarkupElement {
        guard depth <= MarkupReader.greatestDepth else {
            throw fault("more than \(MarkupReader.greatestDepth) elements in each other")
        }
        let start = line
        advance()
        let name = try readName()
        let attributes = try readAttributes(of: name)
        var element = MarkupElement(name: name, attributes: attributes, line: start)
        if skip("/>") { return element }
        try expect(">", after: name)
        while true {
            skipText()
            if try skipMisc() { continue }
            if skip("</") {
                let end = try readName()
                skipSpace()
                guard end == name else {
                    throw fault("</\(end)> ends <\(name)> of line \(start)")
                }
                try expect(">", after: "/" + name)
                return element
            }
            guard position < bytes.count else {
                throw fault("the file ends within <\(name)> of line \(start)")
            }
            element.children.append(try self.element(depth: depth + 1))
        }
    }

    private mutating func readAttributes(
        of element: String
    ) throws(ModelFileError) -> [String: String] {
        var result: [String: String] = [:]
        while true {
            let hasSpace = skipSpace()
            guard let byte = current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
                return result
            }
            guard hasSpace else { throw fault("<\(element)> has attributes without space between") }
            let name = try readName()
            skipSpace()
            try expect("=", after: name)
            skipSpace()
            guard result.updateValue(try readValue(of: name), forKey: name) == nil else {
                throw fault("<\(element)> has \(name) twice")
            }
        }
    }

    private mutating func readValue(of attribute: String) throws(ModelFileError) -> String {
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("the value of \(attribute) has no quotes")
        }
        advance()
        var value: [UInt8] = []
        while let byte = current, byte != quote {
            switch byte {
            case UInt8(ascii: "<"):
                throw fault("the value of \(attribute) has a < in it; write &lt;")
            case UInt8(ascii: "&"):
                value.append(contentsOf: try readReference())
                continue
            case 0x09, 0x0A, 0x0D:
                // As XML has it: breaks of lines in values are spaces, a pair is one.
                if byte == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A {
                    advance()
                }
                value.append(0x20)
            default:
                try refuseControl(UInt32(byte))
                value.append(byte)
            }
            advance()
        }
        guard current == quote else { throw fault("the value of \(attribute) does not end") }
        advance()
        return String(decoding: value, as: UTF8.self)
    }

    /// Reads `&name;`, `&#65;` or `&#x41;`.
    private mutating func readReference() throws(ModelFileError) -> [UInt8] {
        advance()
        let start = position
        while let byte = current, byte != UInt8(ascii: ";"), position - start < 12 { advance() }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard current == UInt8(ascii: ";") else {
            throw fault("& begins no reference; write &amp;")
        }
        advance()
        switch name {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        guard let scalar = MarkupReader.scalar(ofReference: name) else {
            throw fault("&\(name); is no reference that XML has")
        }
        try refuseControl(scalar.value)
        return Array(String(Character(scalar)).utf8)
    }

    private static func scalar(ofReference name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }

    private func refuseControl(_ scalar: UInt32) throws(ModelFileError) {
        let isBreak = scalar == 0x09 || scalar == 0x0A || scalar == 0x0D
        guard scalar >= 0x20 || isBreak, scalar & 0xFFFE != 0xFFFE else {
            throw fault("the character \(scalar) has no place in XML")
        }
    }

    // MARK: What is between

    /// Skips space, comments and declarations outside of the document's element.
    private mutating func skipBetween() throws(ModelFileError) {
        repeat { skipSpace() } while try skipMisc()
    }

    /// Skips a comment, a text in `CDATA` or an instruction; false where none of them is next.
    private mutating func skipMisc() throws(ModelFileError) -> Bool {
        if skip("<!--") {
            try skipThrough("-->")
        } else if skip("<![CDATA[") {
            try skipThrough("]]>")
        } else if skip("<?") {
            try skipInstruction()
        } else if skip("<!") {
            throw fault("the file has a document type, which model files do not have")
        } else {
            return false
        }
        return true
    }

    private mutating func skipInstruction() throws(ModelFileError) {
        let start = position
        try skipThrough("?>")
        let text = String(decoding: bytes[start..<position - 2], as: UTF8.self)
        guard text.hasPrefix("xml "), let mark = text.firstRange(of: "encoding") else { return }
        let encoding = text[mark.upperBound...].drop { " =\"'".contains($0) }
            .prefix { !"\"' ".contains($0) }.uppercased()
        guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(encoding) else {
            throw fault("the file is encoded in \(encoding); save it as UTF-8")
        }
    }

    private mutating func skipText() {
        while let byte = current, byte != UInt8(ascii: "<") { advance() }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while let byte = current, MarkupReader.isSpace(byte) { advance() }
        return position > start
    }

    private mutating func skipThrough(_ end: StaticString) throws(ModelFileError) {
        let start = line
        while position < bytes.count {
            if skip(end) { return }
            advance()
        }
        throw ModelFileError("\(end) is missing", line: start)
    }

    // MARK: Bytes

    private mutating func readName() throws(ModelFileError) -> String {
        let start = position
        while let byte = current, MarkupReader.isNameByte(byte) { advance() }
        guard position > start else { throw fault("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() {
        guard position < bytes.count else { return }
        if bytes[position] == 0x0A { line += 1 }
        position += 1
    }

    /// Skips a text of ASCII without breaks of lines, if it is next.
    private mutating func skip(_ text: StaticString) -> Bool {
        let rest = bytes[position...]
        guard text.withUTF8Buffer({ rest.starts(with: $0) }) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func expect(
        _ text: StaticString, after name: String
    ) throws(ModelFileError) {
        guard skip(text) else { throw fault("\(text) is missing after \(name)") }
    }

    private func fault(_ reason: String) -> ModelFileError { ModelFileError(reason, line: line) }
}
