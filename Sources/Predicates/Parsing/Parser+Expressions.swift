// SPDX-License-Identifier: Apache-2.0

import Schema

extension Parser {
    /// Reads operands joined by arithmetic, bitwise and set operators of at least a precedence.
    ///
    /// All bind tighter than comparisons; among themselves they do as in C.
    mutating func operation(_ lowest: Int = 0) throws(PredicateSyntaxError) -> Item {
        var left = try sign()
        while let (function, precedence) = binaryOperator, precedence >= lowest {
            if case .predicate = left.node { return left }
            try advance()
            let right = try operation(precedence + 1)
            let operands = [try expression(left), try expression(right)]
            left = try item(
                .expression(.function(function, operands)), over: [left, right],
                start: left.start)
        }
        return left
    }

    private var binaryOperator: (function: String, precedence: Int)? {
        switch token {
        case .symbol(.bitOr): (FunctionName.bitOr, 1)
        case .symbol(.bitXor): (FunctionName.bitXor, 2)
        case .symbol(.bitAnd): (FunctionName.bitAnd, 3)
        case .symbol(.shiftLeft): (FunctionName.shiftLeft, 4)
        case .symbol(.shiftRight): (FunctionName.shiftRight, 4)
        case .symbol(.plus): (FunctionName.add, 5)
        case .symbol(.minus): (FunctionName.subtract, 5)
        case .symbol(.times): (FunctionName.multiply, 6)
        case .symbol(.divide): (FunctionName.divide, 6)
        case .symbol(.power): (FunctionName.power, 7)
        case .word:
            switch keyword {
            case .union: (FunctionName.union, 0)
            case .intersect: (FunctionName.intersect, 0)
            case .minus: (FunctionName.minus, 0)
            default: nil
            }
        default: nil
        }
    }

    private mutating func sign() throws(PredicateSyntaxError) -> Item {
        if token == .symbol(.complement) { return try complement() }
        guard token == .symbol(.minus) else { return try postfix() }
        let begin = start
        try advance()
        if case .number(let text) = token {
            let value = try number(text, isNegative: true)
            try advance()
            return try postfix(Item(node: .expression(.constant(.value(value))), start: begin))
        }
        let operand = try nested { (parser) throws(PredicateSyntaxError) in try parser.sign() }
        let negated = try expression(operand)
        if case .constant(.value(let value)) = negated, let opposite = value.negatedNumber {
            return Item(node: .expression(.constant(.value(opposite))), start: begin)
        }
        let zero = Expression.constant(.value(.integer64(0)))
        return try item(
            .expression(.function(FunctionName.subtract, [zero, negated])), over: [operand],
            start: begin)
    }

    private mutating func complement() throws(PredicateSyntaxError) -> Item {
        let begin = start
        try advance()
        let operand = try nested { (parser) throws(PredicateSyntaxError) in try parser.sign() }
        return try item(
            .expression(.function(FunctionName.complement, [try expression(operand)])),
            over: [operand], start: begin)
    }

    /// The value of a number literal.
    func number(_ text: String, isNegative: Bool) throws(PredicateSyntaxError) -> Value {
        let sign = isNegative ? "-" : ""
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            if let value = Int64(sign + text.dropFirst(2), radix: 16) { return .integer64(value) }
        } else if let value = Int64(sign + text) {
            return .integer64(value)
        } else if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let value = DecimalValue(sign + text)
        {
            return .decimal(value)
        } else if let value = Double(sign + text), value.isFinite {
            return .double(value)
        }
        throw lexer.error(
            .invalidNumber, at: start, expected: "a number that fits 64 bits",
            found: "“\(text.prefix(40))”")
    }

    private mutating func postfix() throws(PredicateSyntaxError) -> Item {
        let first = try primary()
        guard case .expression = first.node else { return first }
        return try postfix(first)
    }

    private mutating func postfix(_ first: Item) throws(PredicateSyntaxError) -> Item {
        var result = first
        while true {
            if token == .symbol(.dot) {
                let keys = try keys()
                let base = try expression(result)
                result = try item(
                    .expression(.path(keys, of: base)), over: base.isPath ? [] : [result],
                    start: first.start)
            } else if token == .symbol(.openBracket) {
                result = try index(of: result)
            } else {
                return result
            }
        }
    }

    private mutating func keys() throws(PredicateSyntaxError) -> [String] {
        var keys: [String] = []
        while try accept(.dot) {
            switch token {
            case .word(let key), .key(let key), .collectionOperator(let key): keys.append(key)
            case .conversion(.keyPath):
                guard case .keyPath(let path) = try argument(.keyPath) else {
                    throw unexpected("the name of a key")
                }
                keys += path
            default: throw unexpected("the name of a key")
            }
            try advance()
        }
        return keys
    }

    private mutating func index(of base: Item) throws(PredicateSyntaxError) -> Item {
        try advance()
        let operand = try expression(base)
        var parts = [base]
        let result: Expression
        switch keyword {
        case .first: result = .function(FunctionName.first, [operand])
        case .last: result = .function(FunctionName.last, [operand])
        case .size: result = .function(FunctionName.size, [operand])
        default:
            let index = try item()
            parts.append(index)
            result = .function(FunctionName.index, [operand, try expression(index)])
        }
        if parts.count == 1 { try advance() }
        try require(.closeBracket)
        return try item(.expression(result), over: parts, start: base.start)
    }
}

extension Expression {
    fileprivate var isPath: Bool {
        switch self {
        case .keyPath, .evaluatedObject: true
        default: false
        }
    }
}

extension Value {
    /// The number with the other sign; `nil` for other types and where it does not fit.
    fileprivate var negatedNumber: Value? {
        switch self {
        case .integer64(let value): value == .min ? nil : .integer64(-value)
        case .double(let value): .double(-value)
        default: nil
        }
    }
}
