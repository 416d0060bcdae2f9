// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct MisuseTests {
    struct Case: Sendable {
        var declaration: String
        var blamed: String
        var message: String
    }

    private static let several = "'@Managed' needs a declaration of its own for every property"
    private static let accessors =
        "'@Managed' writes the accessors itself: remove these, or the macro"
    private static let pattern =
        "'@Managed' needs a property with a name of its own, not a pattern"
    private static let other = "'@Managed' can only be attached to a property"

    static let cases = [
        Case(
            declaration: "@Managed let a: Int", blamed: "let",
            message: "'@Managed' needs a 'var': the value of a managed property is read from and"
                + " written to its object"),
        Case(
            declaration: "@Managed public static var a: Int", blamed: "static",
            message: "'@Managed' needs an instance property: a 'static' property belongs to no"
                + " object"),
        Case(
            declaration: "@Managed class var a: Int", blamed: "class",
            message: "'@Managed' needs an instance property: a 'class' property belongs to no"
                + " object"),
        Case(
            declaration: "@Managed lazy var a: Int", blamed: "lazy",
            message: "'@Managed' cannot be combined with 'lazy': the context keeps the value"),
        Case(
            declaration: "@Managed weak var a: Item?", blamed: "weak",
            message: "'@Managed' cannot be combined with 'weak': the context keeps the value"),
        Case(
            declaration: "@Managed var é: Set<Tag>= []", blamed: "=",
            message: "'@Managed' cannot take an initial value: give the default in the model"),
        Case(
            declaration: "@Managed var name", blamed: "name",
            message: "'@Managed' needs the type written out: 'name: <type>'"),
        Case(
            declaration: "@Managed var name = \"x\"", blamed: "name",
            message: "'@Managed' needs the type written out: 'name: <type>'"),
        Case(
            declaration: "@Managed var name: = 3", blamed: "=",
            message: "'@Managed' needs a type after the colon"),
        Case(declaration: "@Managed var a: Int { 3 }", blamed: "{", message: accessors),
        Case(declaration: "@Managed var a: Int{ didSet {} }", blamed: "{", message: accessors),
        Case(declaration: "@Managed var a: Int, b: Int", blamed: ",", message: several),
        Case(declaration: "@Managed var a, b: Int", blamed: ",", message: several),
        Case(declaration: "@Managed var (a, b): (Int, Int)", blamed: "(", message: pattern),
        Case(declaration: "@Managed var _: Int", blamed: "_", message: pattern),
        Case(declaration: "@Managed func f() {}", blamed: "func", message: other),
        Case(declaration: "@Managed class Inner {}", blamed: "class", message: other),
        Case(declaration: "@Managed init() {}", blamed: "init", message: other),
        Case(
            declaration: "@Managed subscript(x: Int) -> Int { 1 }", blamed: "subscript",
            message: other),
        Case(declaration: "@Managed", blamed: "", message: other),
        Case(declaration: "", blamed: "", message: other),
    ]

    @Test(arguments: cases)
    func complainsAtTheRightPlace(misuse: Case) throws {
        let found = try #require(complaint(misuse.declaration))
        #expect(found.message == misuse.message)
        #expect(found.text == misuse.blamed)
    }

    @Test(arguments: cases)
    func keepsTheCompilerQuietAboutAccessors(misuse: Case) {
        let expansion = ManagedMacro.expand(use(misuse.declaration, role: "accessor"))
        #expect(expansion.diagnostics.isEmpty)
        #expect(expansion.source == ManagedMacro.placeholder)
    }

    @Test func offersToChangeLet() throws {
        let found = ManagedMacro.expand(use("@Managed let a: Int")).diagnostics
        let fix = try #require(found.first?.fixIts.first)
        #expect(fix.message == "change 'let' to 'var'")
        #expect(
            fix.changes == [
                .init(
                    range: .init(fileName: "Item.swift", startOffset: 109, endOffset: 112),
                    newText: "var")
            ])
    }

    @Test(arguments: [
        ("@Managed(key)", "key", "the key must be a string literal: '@Managed(\"key\")'"),
        (
            "@Managed(\"a\" + \"b\")", "\"a\"",
            "the key must be a string literal: '@Managed(\"key\")'"
        ),
        ("@Managed(\"\")", "\"\"", "the key must not be empty"),
        ("@Managed(\"\\(x)\")", "\"\\(x)\"", "the key must be a plain string literal"),
    ])
    func complainsAboutTheKey(attribute: String, blamed: String, message: String) throws {
        let found = try #require(complaint("var a: Int", attribute: attribute))
        #expect(found.message == message)
        #expect(found.text == blamed)
    }

    @Test(arguments: [
        ("struct S {}", ", not of a struct"), ("public enum E {}", ", not of an enum"),
        ("actor A {}", ", not of an actor"), ("protocol P {}", ", not of a protocol"),
        ("func f() {}", ", not a local variable"),
        (
            "final class G<T>: NSManagedObject {}",
            " that is not generic: a generic class cannot keep the key"
        ),
    ])
    func complainsAboutThePlace(context: String, reason: String) throws {
        let found = try #require(complaint("@Managed var a: Int", in: context))
        #expect(
            found.message == "'@Managed' needs a property of an NSManagedObject subclass" + reason)
        #expect(found.text == "@")
    }

    @Test func complainsAboutAGlobal() throws {
        let found = try #require(complaint("@Managed var a: Int", in: nil))
        #expect(
            found.message
                == "'@Managed' needs a property of an NSManagedObject subclass,"
                + " not a global variable"
        )
    }

    @Test func complainsAboutARole() {
        let expansion = ManagedMacro.expand(use("@Managed var a: Int", role: "member"))
        #expect(expansion.source == nil)
        #expect(expansion.diagnostics.map(\.message) == ["'@Managed' has no role 'member'"])
    }
}
