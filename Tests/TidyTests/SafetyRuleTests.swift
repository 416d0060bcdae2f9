// SPDX-License-Identifier: Apache-2.0

import Testing

private let license = "// SPDX-License-Identifier: Apache-2.0\n"

/// The violations in a file below the license line, without the path.
private func violations(_ text: String, path: String = "Sources/Store/A.swift") -> [String] {
    Rules.violations(in: SourceFile(path: path, text: license + "\n" + text))
        .map { "\($0.line): \($0.text)" }
}

private let site = "unsafeDowncast(a, to: B.self)"
private let refusal = "unsafeDowncast( without a SAFETY: comment above"

@Suite struct SafetyRuleTests {
    @Test(arguments: [
        ("Unmanaged", "var a: Unmanaged<B>?"),
        ("_withUnsafeGuaranteedRef", "let a = b._withUnsafeGuaranteedRef { $0.c }"),
        ("unsafeBitCast(", "let a = unsafeBitCast(b, to: C.self)"),
        ("unsafeDowncast(", "let a = unsafeDowncast(b, to: C.self)"),
        ("@exclusivity(unchecked)", "@exclusivity(unchecked) var a = 1"),
        ("@unchecked Sendable", "struct A: @unchecked Sendable {}"),
        ("nonisolated(unsafe)", "nonisolated(unsafe) var a = 1"),
        ("UncheckedTransfer(", "let a = UncheckedTransfer(b)"),
    ])
    func each_token_needs_the_comment(token: String, line: String) {
        #expect(violations("\(line)\n") == ["3: \(token) without a SAFETY: comment above"])
        #expect(
            violations("// It is right.\n\(line)\n")
                == ["4: \(token) without a SAFETY: comment above"])
        #expect(violations("// SAFETY: the caller locks.\n\(line)\n") == [])
        #expect(violations("// SAFETY: the caller locks,\n// as it says.\n\(line)\n") == [])
        #expect(
            violations("// SAFETY: the caller locks.\n\n\(line)\n")
                == ["5: \(token) without a SAFETY: comment above"])
    }

    @Test func comments_and_strings_are_no_code() {
        #expect(violations("// Unmanaged, unsafeBitCast(\nlet a = \"Unmanaged\"\n") == [])
        #expect(violations("/* Unmanaged */ let a = \"\"\"\n  Unmanaged\n  \"\"\"\n") == [])
        #expect(violations("let isUnmanaged = 1\nlet Unmanageds = 2\n") == [])
        // What a string says is no reason.
        #expect(violations("let a = \"// SAFETY:\"\nlet b = \(site)\n") == ["4: \(refusal)"])
    }

    @Test func a_function_may_say_it_inside_or_above() {
        let body = "    if b {\n        c(\(site))\n    }\n    d(\(site))\n}\n"
        #expect(violations("func a() {\n\(body)") == ["5: \(refusal)", "7: \(refusal)"])
        #expect(violations("// SAFETY: why.\nfunc a() {\n\(body)") == [])
        #expect(violations("// SAFETY: why.\n@inline(__always)\nfunc a() {\n\(body)") == [])
        #expect(
            violations("/// Does it.\n// SAFETY: why.\nfunc a(\n    b: Int\n) {\n\(body)") == [])
        #expect(violations("func a() {\n    // SAFETY: why.\n\(body)") == [])
        #expect(
            violations(
                "func a() {\n    if b {\n        // SAFETY: why.\n        c(\(site))\n"
                    + "    }\n    d(\(site))\n}\n") == [])
        // Too late for the first one.
        #expect(
            violations("func a() {\n    c(\(site))\n    // SAFETY: why.\n    c(\(site))\n}\n")
                == ["4: \(refusal)"])
    }

    @Test func a_function_does_not_speak_for_others() {
        let first =
            "    // SAFETY: why.\n    func a() {\n        // SAFETY: why.\n        b()\n    }\n"
        let second = "    func c() {\n        d(\(site))\n    }\n}\n"
        #expect(violations("struct A {\n\(first)\n\(second)") == ["11: \(refusal)"])
        #expect(violations("// SAFETY: why.\nstruct A {\n\(second)") == ["6: \(refusal)"])
        #expect(
            violations(
                "struct A {\n\(first)    #if os(Linux)\n        func c() {\n            "
                    + "d(\(site))\n        }\n    #endif\n}\n") == ["11: \(refusal)"])
        #expect(
            violations(
                "struct A {\n\(first)    lazy var b = make {\n        c(\(site))\n    }\n}\n")
                == ["10: \(refusal)"])
    }

    @Test func closures_and_local_values_belong_to_their_function() {
        let body = "    let b = c {\n        \(site)\n    } d: {\n        \(site)\n    }\n"
        #expect(violations("// SAFETY: why.\nfunc a() {\n\(body)}\n") == [])
        #expect(violations("struct A {\n    // SAFETY: why.\n\(body)}\n") == [])
        #expect(violations("struct A {\n\(body)}\n") == ["5: \(refusal)", "7: \(refusal)"])
        let accessors =
            "        get {\n            b\n        }\n        set {\n            \(site)\n"
        #expect(
            violations(
                "struct A {\n    // SAFETY: why.\n    var a: B {\n\(accessors)        }\n"
                    + "    }\n}\n") == [])
        #expect(
            violations("struct A {\n    var a: B {\n\(accessors)        }\n    }\n}\n")
                == ["9: \(refusal)"])
    }

    @Test func members_of_a_type_may_share_it() {
        let members =
            "    @exclusivity(unchecked) var a = 1\n    /// B.\n"
            + "    @exclusivity(unchecked)\n    final var b = 2\n"
        let text = "@exclusivity(unchecked) without a SAFETY: comment above"
        #expect(violations("final class A {\n\(members)}\n") == ["4: \(text)", "6: \(text)"])
        #expect(violations("final class A {\n    // SAFETY: why.\n\(members)}\n") == [])
        #expect(violations("// SAFETY: why.\nfinal class A {\n\(members)}\n") == [])
        // What a function says of itself is no reason for a property.
        #expect(
            violations(
                "final class A {\n    func c() {\n        // SAFETY: why.\n        d()\n"
                    + "    }\n\(members)}\n") == ["8: \(text)", "10: \(text)"])
    }

    @Test func a_type_may_say_it_above_or_where_it_begins() {
        let text = "@unchecked Sendable without a SAFETY: comment above"
        #expect(
            violations("final class A: @unchecked Sendable {\n    // SAFETY: why.\n}\n") == [])
        #expect(
            violations(
                "final class A:\n    B, @unchecked Sendable\n{\n    // Why.\n"
                    + "    // SAFETY: why.\n}\n") == [])
        #expect(violations("// SAFETY: why.\nclass A:\n    @unchecked Sendable\n{}\n") == [])
        #expect(
            violations("class A: @unchecked Sendable {\n    var b = 1\n    // SAFETY: why.\n}\n")
                == ["3: \(text)"])
        #expect(
            violations("struct A: @unchecked Sendable {}\n// SAFETY: why.\n") == ["3: \(text)"])
        // The outer type does not speak for the inner one.
        #expect(
            violations("// SAFETY: why.\nenum A {\n    class B: @unchecked Sendable {\n    }\n}\n")
                == ["5: \(text)"])
    }

    @Test func elsewhere_any_reason_will_do() {
        func others(_ text: String) -> [String] {
            violations(text, path: "Tests/StoreTests/A.swift")
        }
        let text = "without the reason in a comment above"
        #expect(
            others("struct A: @unchecked Sendable {}\n") == ["3: @unchecked Sendable \(text)"])
        #expect(others("// Locked.\nstruct A: @unchecked Sendable {}\n") == [])
        #expect(others("struct A: @unchecked Sendable {\n    // Locked.\n}\n") == [])
        #expect(others("nonisolated(unsafe) var a = 1\n") == ["3: nonisolated(unsafe) \(text)"])
        #expect(others("// Locked.\nnonisolated(unsafe) var a = 1\n") == [])
        #expect(others("let a = \(site)\n") == [])
        for check in [others, { violations($0) }] {
            #expect(check("unowned(unsafe) let a: B\n") == ["3: unowned(unsafe) \(text)"])
            #expect(check("// Kept.\nunowned(unsafe) let a: B\n") == [])
        }
    }

    @Test func declarations() {
        #expect(SafetyRule.declaration("public final class A: B {") == .type)
        #expect(SafetyRule.declaration("extension A where B: C {") == .type)
        #expect(SafetyRule.declaration("    class func a() {") == .member)
        #expect(SafetyRule.declaration("    class override var a: B {") == .member)
        #expect(SafetyRule.declaration("    @available(macOS 15, *) private(set) var a") == .member)
        #expect(SafetyRule.declaration("    nonisolated(unsafe) static let a = 1") == .member)
        #expect(SafetyRule.declaration("    convenience init?(a: Int) {") == .member)
        #expect(SafetyRule.declaration("    self.init(a: 1)") == nil)
        #expect(SafetyRule.declaration("    actor.run { $0 }") == nil)
        #expect(SafetyRule.declaration("    if let a { return }") == nil)
        #expect(SafetyRule.declaration("    @unchecked Sendable {") == nil)
    }
}
