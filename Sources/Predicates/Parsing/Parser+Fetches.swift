// SPDX-License-Identifier: Apache-2.0

import Schema

extension Parser {
    /// Reads `(%@, %@, NO)` after `FETCH`: a request, its context and whether matches are counted.
    mutating func fetch(start: Int) throws(PredicateSyntaxError) -> Item {
        try advance()
        let request = try fetchPart("a fetch request") { argument in
            if case .fetchRequest(let name) = argument { name } else { nil }
        }
        try require(.comma)
        let context = try fetchPart("a context") { argument in
            if case .fetchContext(let name) = argument { name } else { nil }
        }
        try require(.comma)
        let flag = try item()
        guard case .expression(.constant(.value(let value))) = flag.node, let counts = value.flag
        else {
            throw lexer.error(
                .unexpectedText, at: flag.start, expected: "YES to count matches, or NO",
                found: "another expression")
        }
        try require(.closeParenthesis)
        let parts: [Expression] = [
            .variable(request), .variable(context), .constant(.value(.boolean(counts))),
        ]
        return Item(node: .expression(.function(FunctionName.fetch, parts)), start: start)
    }

    private mutating func fetchPart(
        _ what: String, _ name: (Argument) -> String?
    ) throws(PredicateSyntaxError) -> String {
        guard token == .conversion(.object) else { throw unexpected("%@ for \(what)") }
        guard usedArguments < arguments.count, let name = name(arguments[usedArguments]) else {
            throw lexer.error(
                .argumentType, at: start,
                expected: "\(what) as argument \(usedArguments + 1)", found: "another value")
        }
        usedArguments += 1
        try advance()
        return name
    }
}

extension Value {
    /// What it says as yes or no; nil if it is neither that nor a whole number.
    fileprivate var flag: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .integer16(let number): number != 0
        case .integer32(let number): number != 0
        case .integer64(let number): number != 0
        default: nil
        }
    }
}
