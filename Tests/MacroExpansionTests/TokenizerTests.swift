// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct TokenizerTests {
    private func texts(_ source: String) -> [String] {
        Tokenizer.tokens(of: source).map(\.text)
    }

    @Test func splitsWordsAndMarks() {
        #expect(
            texts("public var a_1: Set<M.Tag>?") == [
                "public", "var", "a_1", ":", "Set", "<", "M", ".", "Tag", ">", "?",
            ])
        #expect(texts("(Int) -> Void") == ["(", "Int", ")", "->", "Void"])
    }

    @Test func dropsComments() {
        #expect(texts("a /* x /* y */ z */ b // c\nd") == ["a", "b", "d"])
        #expect(texts("a /* open") == ["a"])
        #expect(texts("a /") == ["a", "/"])
    }

    @Test func keepsBackticks() {
        #expect(texts("`class` `sort order`: é") == ["`class`", "`sort order`", ":", "é"])
        #expect(texts("`open\nx") == ["`open", "x"])
    }

    @Test(arguments: [
        #""a""#, #""a\"b""#, #""\(f("}"))""#, ##"#"a"b"#"##, ##"#"\#(x(")"))"#"##,
        "\"\"\"\na \"b\" c\n\"\"\"", #""\\""#, "##\"a\"#b\"##",
    ])
    func takesAStringWhole(literal: String) {
        #expect(texts(literal + " after") == [literal, "after"])
        #expect(Tokenizer.tokens(of: literal).first?.kind == .string)
    }

    @Test func endsAnOpenStringAtTheLine() {
        #expect(texts("\"open\nafter") == ["\"open", "after"])
        #expect(texts("\"\\") == ["\"\\"])
        #expect(texts("\"\"\"open\nafter") == ["\"\"\"open\nafter"])
    }

    @Test func tellsDirectivesFromRawStrings() {
        #expect(texts("#if DEBUG") == ["#", "if", "DEBUG"])
    }

    @Test func noticesWhatStandsBefore() {
        let tokens = Tokenizer.tokens(of: "a b/*\n*/c(d")
        #expect(tokens.map(\.isSpaced) == [false, true, true, false, false])
        #expect(tokens.map(\.startsLine) == [true, false, true, false, false])
    }

    @Test func countsBytes() {
        let tokens = Tokenizer.tokens(of: "/* é */ var ü")
        #expect(tokens.map(\.range) == [9..<12, 13..<15])
    }

    @Test func survivesDeepInterpolation() {
        let source = String(repeating: "\"\\(", count: 100_000)
        #expect(!texts(source).isEmpty)
    }
}
