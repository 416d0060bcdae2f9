// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import MacroExpansion

/// Whatever the text, the macro answers: with source, or with a diagnostic that
/// points into the text.
@Suite struct OddInputTests {
    private static let pieces = [
        "@Managed", "@", "(", ")", "<", ">", "[", "]", "{", "}", ":", ";", ",", "=", "?", "!", ".",
        "var", "let", "class", "static", "public", "private(set)", "override", "#if", "#", "\"",
        "\"\"\"", "\\(", "\\", "`", "/*", "*/", "//", "\n", " ", "a", "é", "Set", "Set<Tag>",
        "NSSet",
        "Optional<", "->", "0", "_", "$0", "\u{0}", "\u{FEFF}",
    ]

    private func check(_ use: AttachedUse, _ seed: String) {
        let expansion = ManagedMacro.expand(use)
        #expect(expansion.source != nil, "\(seed)")
        for found in expansion.diagnostics {
            let end = max(
                use.declaration.source.utf8.count + 100, use.attribute.source.utf8.count + 90)
            #expect((90...end).contains(found.position.offset), "\(seed)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func answersRandomText(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for round in 0..<100 {
            var texts = ["", "@Managed var ", "class "]
            for index in texts.indices {
                for _ in 0..<random.below(14) {
                    texts[index] += Self.pieces[random.below(Self.pieces.count)]
                    if random.below(2) == 0 { texts[index] += " " }
                }
            }
            for role in ["peer", "accessor"] {
                let odd = use(texts[1], role: role, attribute: texts[0], in: texts[2])
                check(odd, "seed \(seed), round \(round): \(texts)")
            }
        }
    }

    @Test func answersEveryPrefix() {
        let source =
            "/*c*/@A(\"x\\(y)\") @Managed public private(set) var `a`: Optional<Set<M.T>> = [1]"
        let bytes = Array(source.utf8)
        for count in 0...bytes.count {
            check(use(String(decoding: bytes[..<count], as: UTF8.self)), "prefix \(count)")
        }
    }

    @Test(arguments: ["(", "?", "Set<", "[", "`", "#", "/*", "\"\\("])
    func answersLongRepetition(piece: String) {
        let long = String(repeating: piece, count: 20_000)
        check(use("@Managed var a: " + long), "20000 times \(piece)")
        check(use(long), "20000 times \(piece)")
    }

    @Test func answersOffsetsBeyondAnyFile() {
        var odd = use("@Managed let a: Int")
        odd.declaration.location.offset = .max
        #expect(ManagedMacro.expand(odd).diagnostics.count == 1)
    }
}
