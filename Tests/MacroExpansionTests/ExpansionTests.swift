// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct ExpansionTests {
    @Test func writesAccessors() {
        #expect(
            accessors("@Managed var name: String") == """
                {
                    get { __lode_read(Self.__lode_name) }
                    set { __lode_write(newValue, Self.__lode_name) }
                }
                """)
    }

    @Test func setsRawValuesWithoutTracking() {
        #expect(
            accessors("@Managed private var primitiveName: String") == """
                {
                    get { __lode_read(Self.__lode_primitiveName) }
                    set {
                        if __lode_isPrimitive(Self.__lode_primitiveName) {
                            __lode_writePrimitive(newValue, Self.__lode_primitiveName)
                        } else {
                            __lode_write(newValue, Self.__lode_primitiveName)
                        }
                    }
                }
                """)
        for name in ["primitive", "primitives", "primitiveness", "rawPrimitiveName"] {
            let text = accessors("@Managed var \(name): String")
            #expect(text?.contains("__lode_isPrimitive") == false, "\(name)")
        }
    }

    @Test func writesTheKey() {
        #expect(
            peers("@Managed var name: String")
                == "nonisolated static let __lode_name = PropertyKey(\"name\")")
    }

    @Test func unwrapsBackticks() {
        #expect(
            peers("@Managed var `class`: String")
                == "nonisolated static let __lode_class = PropertyKey(\"class\")")
        #expect(accessors("@Managed var `class`: String")?.contains("Self.__lode_class)") == true)
    }

    @Test func keepsTheBackticksOfRawIdentifiers() {
        #expect(
            peers("@Managed var `sort order`: Int")
                == "nonisolated static let `__lode_sort order` = PropertyKey(\"sort order\")")
        #expect(
            signatures("@Managed var `all tags`: Set<Tag>").first
                == "func `addToAll tags`(_ value: Tag)")
    }

    @Test(arguments: [
        ("open", "public "), ("public", "public "), ("package", "package "),
        ("internal", "internal "), ("fileprivate", "fileprivate "), ("private", "private "),
    ])
    func followsTheAccessLevel(word: String, modifier: String) {
        #expect(
            peers("@Managed \(word) var name: String")
                == "nonisolated \(modifier)static let __lode_name = PropertyKey(\"name\")")
        #expect(
            signatures("@Managed \(word) var tags: Set<Tag>").first
                == "\(modifier)func addToTags(_ value: Tag)")
    }

    @Test func restrictsMethodsLikeTheSetter() {
        let source = peers("@Managed public private(set) var tags: Set<Tag>")
        #expect(
            source?.hasPrefix(
                "nonisolated public static let __lode_tags = "
                    + "PropertyKey(\"tags\", hasLimitedSetter: true)\n") == true)
        #expect(
            signatures("@Managed public private(set) var tags: Set<Tag>").first
                == "private func addToTags(_ value: Tag)")
    }

    @Test func carriesTheIsolationOver() {
        #expect(
            signatures("@Managed nonisolated public var tags: NSSet").last
                == "nonisolated public func removeFromTags(_ values: NSSet)")
    }

    @Test(arguments: [#"@Managed("other")"#, "\n  @Managed ( key: \"other\" ) /* c */ "])
    func takesAnotherKey(attribute: String) {
        #expect(
            peers("@Managed var name: String", attribute: attribute)
                == "nonisolated static let __lode_name = PropertyKey(\"other\")")
    }

    @Test func takesARawKeyAsWritten() {
        #expect(
            peers("@Managed var name: String", attribute: ##"@Managed(#"a"b"#)"##)
                == ##"nonisolated static let __lode_name = PropertyKey(#"a"b"#)"##)
        #expect(
            peers("@Managed var name: String", attribute: "@Managed()")
                == "nonisolated static let __lode_name = PropertyKey(\"name\")")
    }

    @Test func inheritsThePeersOfAnOverriddenProperty() {
        #expect(peers("@Managed override var tags: Set<Tag>") == "")
        #expect(accessors("@Managed override var tags: Set<Tag>")?.contains("__lode_tags") == true)
    }

    @Test func acceptsAnExtension() {
        let expansion = ManagedMacro.expand(
            use("@Managed var name: String", in: "@available(*, deprecated)\nextension Item {}"))
        #expect(expansion.diagnostics.isEmpty)
    }
}
