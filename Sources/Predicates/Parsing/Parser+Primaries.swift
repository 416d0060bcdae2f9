// SPDX-License-Identifier: Apache-2.0

import Schema

extension Parser {
    /// Reads a literal, a key, a variable, a function or something in parentheses.
    mutating func primary() throws(PredicateSyntaxError) -> Item {
        let begin = start
        let expression: Expression
        switch token {
        case .string(let text): expression = .constant(.value(.string(text)))
        case .number(let text):
            expression = .constant(.value(try number(text, isNegative: false)))
        case .variable(let name): return try variable(name)
        case .key(let key), .collectionOperator(let key): expression = .keyPath([key])
        case .conversion(let conversion): expression = try argument(conversion)
        case .selector(let name):
            try advance()
            guard token == .symbol(.openParenthesis), name.hasSuffix(":") else {
                throw unexpected("“(” after the function \(name)")
            }
            return try function(name, start: begin)
        case .word(let word): return try self.word(word)
        case .symbol(.openParenthesis): return try parenthesis()
        case .symbol(.openBrace): return try aggregate()
        case .end, .symbol: throw unexpected("an expression")
        }
        try advance()
        return Item(node: .expression(expression), start: begin)
    }

    private mutating func parenthesis() throws(PredicateSyntaxError) -> Item {
        let begin = start
        try advance()
        var result = try item()
        try require(.closeParenthesis)
        result.start = begin
        return result
    }

    private mutating func aggregate() throws(PredicateSyntaxError) -> Item {
        let begin = start
        try advance()
        var items: [Item] = []
        var members: [Expression] = []
        if token != .symbol(.closeBrace) {
            repeat {
                let member = try item()
                members.append(try expression(member))
                items.append(member)
            } while try accept(.comma)
        }
        try require(.closeBrace)
        let aggregate = Expression.aggregate(members)
        let constant = aggregate.constantOperand.map { Expression.constant($0) }
        return try item(.expression(constant ?? aggregate), over: items, start: begin)
    }

    private mutating func word(_ word: String) throws(PredicateSyntaxError) -> Item {
        let begin = start
        let keyword = Keyword(word: word)
        if let keyword, !keyword.isContextual {
            let node = try self.keyword(keyword)
            try advance()
            return Item(node: node, start: begin)
        }
        try advance()
        guard token == .symbol(.openParenthesis) else {
            return Item(node: .expression(.keyPath([word])), start: begin)
        }
        switch keyword {
        case .cast: return try cast(start: begin)
        case .function: return try call(start: begin)
        case .subquery: return try subquery(start: begin)
        case .ternary: return try ternary(start: begin)
        case .fetch: return try fetch(start: begin)
        default: return try function(word, start: begin)
        }
    }

    private func keyword(_ keyword: Keyword) throws(PredicateSyntaxError) -> Item.Node {
        switch keyword {
        case .true, .yes: return .expression(.constant(.value(.integer64(1))))
        case .false, .no: return .expression(.constant(.value(.integer64(0))))
        case .null, .nilWord: return .expression(.constant(.value(.null)))
        case .evaluatedObject: return .expression(.evaluatedObject)
        case .truePredicate: return .predicate(.constant(true))
        case .falsePredicate: return .predicate(.constant(false))
        case .anyKey: return .expression(.function(FunctionName.anyKey, []))
        default:
            throw unexpected("an expression; a key of this name is written #\(keyword.rawValue)")
        }
    }
}
