// SPDX-License-Identifier: Apache-2.0

import Testing

private let license = "// SPDX-License-Identifier: Apache-2.0\n"

/// The violations in a file below the license line, without the path.
private func violations(_ text: String, path: String = "Sources/Store/A.swift") -> [String] {
    Rules.violations(in: SourceFile(path: path, text: license + text))
        .map { "\($0.line): \($0.text)" }
}

@Suite struct RuleTests {
    @Test func tidyFile() {
        #expect(violations("\nimport Schema\n\nstruct A {}\n") == [])
    }

    @Test func layout() {
        #expect(violations(String(repeating: "é", count: 100)) == [])
        #expect(
            violations(String(repeating: "é", count: 101)) == ["2: 101 columns, 100 are allowed"])
        #expect(violations("let a = 1 \n") == ["2: white space at the end"])
        #expect(violations("\t\n") == ["2: white space at the end"])
        #expect(violations("// FIX" + "ME: later\n") == ["2: FIX" + "ME"])
        #expect(violations("// the TO" + "DO list\n") == ["2: TO" + "DO"])
        #expect(violations("let methodTO" + "DOs = 1\n") == [])
        let long = String(repeating: "//\n", count: 500)
        #expect(violations(long) == ["501: 501 lines, 500 are allowed"])
    }

    @Test func licenses() {
        let file = SourceFile(path: "Sources/Store/A.swift", text: "struct A {}\n")
        #expect(
            Rules.violations(in: file).map(\.description) == [
                "Sources/Store/A.swift:1: not \"// SPDX-License-Identifier: Apache-2.0\""
            ])
        let manifest = "// swift-tools-version: 6.2\n" + license
        #expect(Rules.violations(in: SourceFile(path: "Package.swift", text: manifest)) == [])
    }

    @Test func words() {
        #expect(violations("let a = try! b()\n") == ["2: try! is not allowed"])
        #expect(violations("fatalError(\"no\")\n") == ["2: fatalError( is not allowed"])
        #expect(violations("// try! fatalError(\nlet a = \"try! fatalError(\"\n") == [])
        #expect(violations("notfatalError()\n") == [])
        #expect(violations("/* try!\n fatalError( /* try! */ try! */\n") == [])
        #expect(violations("let a = \"\"\"\n  try! \"quoted\"\n  \"\"\"\n") == [])
        #expect(violations("let a = \"\\(b(\"try!\"))\"; try! c()\n") == ["2: try! is not allowed"])
        #expect(violations("let a = #\"\\\"#; try! c()\n") == ["2: try! is not allowed"])
    }

    @Test func imports() {
        #expect(violations("import LMDB\n") == [])
        #expect(violations("import Query\n") == ["2: Sources/Store must not import Query"])
        #expect(
            violations("@testable public import ECS\n")
                == ["2: Sources/Store must not import ECS"])
        #expect(
            violations("import Foundation\n") == ["2: Sources/Store must not import Foundation"])
        #expect(
            violations("import struct FoundationEssentials.Data\n")
                == ["2: Sources/Store must not import FoundationEssentials"])
        #expect(violations("// import Foundation\n") == [])
        #expect(violations("import Foundation\n", path: "Sources/ECS/A.swift") == [])
        #expect(violations("import Query\n", path: "Tests/StoreTests/A.swift") == [])
        #expect(
            violations("import Store\n", path: "Sources/Examples/Teams/A.swift")
                == ["2: Sources/Examples must not import Store"])
    }

    @Test func pointers() {
        let text = "var a: UnsafeMutableRawPointer?\n"
        #expect(violations(text) == ["2: UnsafeMutableRawPointer is not for this layer"])
        #expect(violations(text, path: "Sources/LMDB/A.swift") == [])
        #expect(violations(text, path: "Sources/ECS/Worlds/A.swift") == [])
        #expect(
            violations(text, path: "Sources/ECS/A.swift")
                == ["2: UnsafeMutableRawPointer is not for this layer"])
        let buffer = "var a: UnsafeRawBufferPointer\n"
        #expect(violations(buffer) == [])
        #expect(
            violations(buffer, path: "Sources/Query/A.swift")
                == ["2: UnsafeRawBufferPointer is not for this layer"])
        #expect(violations("// UnsafeRawPointer\n") == [])
    }

    @Test func targets() {
        for path in ["Sources/A.swift", "Sources/Other/A.swift", "Sources/Examples/A.swift"] {
            #expect(violations("", path: path) == ["1: belongs to no target"], "\(path)")
        }
        #expect(violations("", path: "Sources/Query/Deep/A.swift") == [])
    }

    @Test func functionLengths() {
        func function(_ lines: Int) -> String {
            "func long(\n    a: Int = { 1 }()\n) {\n"
                + String(repeating: "    print(\"}\") // }\n", count: lines - 4) + "}\n"
        }
        #expect(violations(function(70)) == [])
        #expect(violations(function(71)) == ["2: long has 71 lines, 70 are allowed"])
        let nested = "struct A {\n" + function(71) + function(71) + "}\n"
        #expect(
            violations(nested) == [
                "3: long has 71 lines, 70 are allowed", "74: long has 71 lines, 70 are allowed",
            ])
        // A type may be longer than a function.
        #expect(violations("struct A {\n" + function(60) + function(60) + "}\n") == [])
        let protocolText =
            "protocol A {\n    func b()\n}\nstruct C {\n"
            + String(repeating: "    var d: Int\n", count: 80) + "}\n"
        #expect(violations(protocolText) == [])
    }

    @Test func functionNames() {
        #expect(FunctionLengths.functionName("    public static func make<A>(b: A)") == "make")
        #expect(FunctionLengths.functionName("    @inline(__always) func a() {") == "a")
        #expect(FunctionLengths.functionName("    convenience init?(a: Int) {") == "init")
        #expect(FunctionLengths.functionName("    deinit {") == "deinit")
        #expect(FunctionLengths.functionName("    self.init(a: 1)") == nil)
        #expect(FunctionLengths.functionName("    case func") == nil)
    }
}
