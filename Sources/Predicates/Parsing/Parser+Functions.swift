// SPDX-License-Identifier: Apache-2.0

import Schema

extension Parser {
    /// Reads the arguments of a named function; the token is the parenthesis.
    mutating func function(_ name: String, start: Int) throws(PredicateSyntaxError) -> Item {
        let items = try argumentItems()
        var arguments: [Expression] = []
        for item in items { arguments.append(try expression(item)) }
        let selector = arguments.isEmpty || name.hasSuffix(":") ? name : name + ":"
        if !allowsFaults, let fault = FunctionName.fault(selector, arguments.count) {
            throw lexer.error(
                .unknownFunction, at: start, expected: fault.expected, found: fault.found)
        }
        if selector == FunctionName.cast, arguments.count == 2 {
            let cast = Expression.cast(arguments[0], to: arguments[1])
            return try item(.expression(cast), over: items, start: start)
        }
        return try item(.expression(.function(selector, arguments)), over: items, start: start)
    }

    /// Reads the arguments in parentheses, expressions; the token is the first parenthesis.
    private mutating func argumentItems() throws(PredicateSyntaxError) -> [Item] {
        try advance()
        var items: [Item] = []
        if token != .symbol(.closeParenthesis) {
            repeat {
                let argument = try item()
                _ = try expression(argument)
                items.append(argument)
            } while try accept(.comma)
        }
        try require(.closeParenthesis)
        return items
    }

    mutating func cast(start: Int) throws(PredicateSyntaxError) -> Item {
        try advance()
        let operand = try item()
        try require(.comma)
        let type = try item()
        try require(.closeParenthesis)
        let arguments = [try expression(operand), try expression(type)]
        return try item(
            .expression(.cast(arguments[0], to: arguments[1])), over: [operand, type],
            start: start)
    }

    mutating func call(start: Int) throws(PredicateSyntaxError) -> Item {
        let items = try argumentItems()
        var arguments: [Expression] = []
        for item in items { arguments.append(try expression(item)) }
        guard arguments.count >= 2, case .constant(.value(.string)) = arguments[1] else {
            throw lexer.error(
                .unexpectedText, at: start, expected: "FUNCTION(target, \"selector:\", …)",
                found: "other arguments")
        }
        return try item(
            .expression(.function(FunctionName.call, arguments)), over: items, start: start)
    }

    mutating func subquery(start: Int) throws(PredicateSyntaxError) -> Item {
        try advance()
        let collection = try item()
        try require(.comma)
        guard case .variable(let name) = token else {
            throw unexpected("a variable such as $item")
        }
        try advance()
        try require(.comma)
        let condition = try self.condition(over: name)
        let predicate = try predicate(condition)
        try require(.closeParenthesis)
        return try item(
            .expression(.subquery(try expression(collection), variable: name, predicate)),
            over: [collection, condition], start: start)
    }

    mutating func ternary(start: Int) throws(PredicateSyntaxError) -> Item {
        try advance()
        let condition = try item()
        let predicate = try predicate(condition)
        try require(.comma)
        let first = try item()
        try require(.comma)
        let second = try item()
        try require(.closeParenthesis)
        return try item(
            .expression(.conditional(predicate, try expression(first), try expression(second))),
            over: [condition, first, second], start: start)
    }
}

extension Expression {
    /// A cast; computed at once if the operand is a constant that is printed as a cast.
    static func cast(_ operand: Expression, to type: Expression) -> Expression {
        if case .constant(.value(let value)) = operand,
            case .constant(.value(.string(let name))) = type,
            let constant = value.literalCast(to: name)
        {
            return .constant(.value(constant))
        }
        return .function(FunctionName.cast, [operand, type])
    }
}
