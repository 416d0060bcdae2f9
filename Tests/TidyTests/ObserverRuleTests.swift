// SPDX-License-Identifier: Apache-2.0

import Testing

private let license = "// SPDX-License-Identifier: Apache-2.0\n"

private func lines(_ text: String, path: String = "Sources/ECS/A.swift") -> [Int] {
    Rules.violations(in: SourceFile(path: path, text: license + text))
        .filter { $0.text == "a public property with observers; make it a computed one" }
        .map(\.line)
}

@Suite struct ObserverRuleTests {
    @Test func public_properties_have_no_observers() {
        #expect(lines("open var a = 1 { didSet { b() } }\n") == [2])
        #expect(lines("    public final var a: Int {\n        willSet { b() }\n    }\n") == [2])
        #expect(
            lines("let a = 1\nopen unowned var b: B? {\n\n    // Why.\n    didSet {}\n}\n") == [3])
        #expect(lines("open var a:\n    [Int] = []\n{\n    didSet {}\n}\n") == [2])
    }

    @Test func others_may_have_them() {
        #expect(lines("var a = 1 { didSet { b() } }\n") == [])
        #expect(lines("public private(set) var a = 1 { didSet { b() } }\n") == [])
        #expect(lines("public var a: Int {\n    get { 1 }\n    set { didSet() }\n}\n") == [])
        #expect(lines("public var a: Int\nvar b = 1 { didSet { c() } }\n") == [])
        #expect(lines("open var a = 1 { didSet { b() } }\n", path: "Tests/ECSTests/A.swift") == [])
    }
}
