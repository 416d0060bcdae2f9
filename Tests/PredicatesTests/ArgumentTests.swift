// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

struct ArgumentTests {
    private func value(_ value: Value) -> Argument { .operand(.value(value)) }

    @Test func objectsAreNeverParsed() throws {
        let predicate = try Predicate(
            format: "%K == %@", arguments: [.keyPath("a.b"), value(.string("x' OR 1 == 1"))])
        #expect(predicate.predicateFormat == #"a.b == "x' OR 1 == 1""#)
    }

    @Test func keyPaths() throws {
        let forms: [(String, [Argument], String)] = [
            ("%K", [.keyPath("SELF")], "SELF"),
            ("%K", [.keyPath("self.name")], "name"),
            ("%K", [value(.string("in"))], "#in"),
            ("%K", [.keyPath("items.@sum.price")], "items.@sum.price"),
            ("%K.last", [.keyPath("a")], "a.#last"),
            ("a.%K.c", [.keyPath("b.b")], "a.b.b.c"),
            ("$i.%K", [.keyPath("b")], "$i.b"),
            ("a.@sum.%K", [.keyPath("b")], "a.@sum.b"),
            ("%K", [.keyPath("two words")], ##"#"two words""##),
            ("%@ + 1", [.expression(.keyPath(["a"]))], "a + 1"),
            ("%K", [.expression(.variable("v"))], "$v"),
        ]
        for (format, arguments, text) in forms {
            #expect(try Expression(format: format, arguments: arguments).description == text)
        }
    }

    @Test func conversions() throws {
        let integers = ["%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%x", "%02hd", "%zd"]
        for conversion in integers {
            let tree = try Expression(format: conversion, arguments: [value(.integer32(7))])
            #expect(tree == .constant(.value(.integer32(7))), "\(conversion)")
        }
        for conversion in ["%f", "%g", "%e", "%.2f", "%lf"] {
            let tree = try Expression(format: conversion, arguments: [value(.double(7.5))])
            #expect(tree == .constant(.value(.double(7.5))), "\(conversion)")
        }
        for conversion in ["%s", "%S", "%c"] {
            let tree = try Expression(format: conversion, arguments: [value(.string("s"))])
            #expect(tree == .constant(.value(.string("s"))), "\(conversion)")
        }
        #expect(
            try Expression(format: "-%d", arguments: [value(.integer64(7))])
                == .constant(.value(.integer64(-7))))
    }

    @Test func listsAndNil() throws {
        let list = Operand.list([.value(.integer64(1)), .value(.null)])
        let predicate = try Predicate(
            format: "a IN %@ OR b == %@", arguments: [.operand(list), value(.null)])
        #expect(predicate.predicateFormat == "a IN {1, nil} OR b == nil")
    }

    @Test func quotedConversionsAreText() throws {
        let predicate = try Predicate(format: "a == '%@' AND b == \"%K\"")
        #expect(predicate.predicateFormat == #"a == "%@" AND b == "%K""#)
    }
}
