// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// Reads a whole predicate or expression: members joined by `OR`.
    mutating func item() throws(PredicateSyntaxError) -> Item {
        try nested { (parser) throws(PredicateSyntaxError) in
            let first = try parser.conjunction()
            guard parser.keyword == .or || parser.token == .symbol(.or) else { return first }
            var items = [first]
            var members = [try parser.predicate(first)]
            while try parser.acceptOr() {
                items.append(try parser.conjunction())
                members.append(try parser.predicate(items[items.count - 1]))
            }
            return try parser.item(.predicate(.or(members)), over: items, start: first.start)
        }
    }

    private mutating func acceptOr() throws(PredicateSyntaxError) -> Bool {
        if try accept(.or as Keyword) { return true }
        return try accept(.or as Symbol)
    }

    private mutating func acceptAnd() throws(PredicateSyntaxError) -> Bool {
        if try accept(.and as Keyword) { return true }
        return try accept(.and as Symbol)
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> Item {
        let first = try negation()
        guard keyword == .and || token == .symbol(.and) else { return first }
        var items = [first]
        var members = [try predicate(first)]
        while try acceptAnd() {
            items.append(try negation())
            members.append(try predicate(items[items.count - 1]))
        }
        return try item(.predicate(.and(members)), over: items, start: first.start)
    }

    private mutating func negation() throws(PredicateSyntaxError) -> Item {
        guard keyword == .not || token == .symbol(.not) else { return try comparison() }
        let begin = start
        try advance()
        let operand = try nested { (parser) throws(PredicateSyntaxError) in
            try parser.negation()
        }
        return try item(.predicate(.not(try predicate(operand))), over: [operand], start: begin)
    }

    private mutating func comparison() throws(PredicateSyntaxError) -> Item {
        let begin = start
        let (modifier, isNegated) = try modifierPrefix()
        let left = try operation()
        if case .predicate = left.node {
            guard modifier == .direct else { throw unmodifiable(left) }
            return left
        }
        guard let relation = comparisonOperator else {
            if case .word(let word) = token, word.uppercased() == "UTI" {
                throw unsupported(
                    "UTI-CONFORMS-TO or UTI-EQUALS", instead: "== or IN, of the names of types")
            }
            if modifier != .direct { _ = try predicate(left) }
            return left
        }
        try advance()
        let options = try comparisonOptions()
        let right = try operation()
        let comparison = Comparison(
            left: try expression(left), operator: relation, right: try expression(right),
            modifier: modifier, options: options)
        if !allowsFaults, let fault = comparison.fault {
            throw lexer.error(
                .operandKind, at: fault.isRight ? right.start : left.start,
                expected: fault.expected, found: fault.found)
        }
        let predicate = Predicate.comparison(comparison)
        let node = Item.Node.predicate(isNegated ? .not(predicate) : predicate)
        return try item(node, over: [left, right], start: begin)
    }

    private func unmodifiable(_ operand: Item) -> PredicateSyntaxError {
        lexer.error(
            .unexpectedText, at: operand.start, expected: "a comparison after ANY, ALL or NONE",
            found: "a predicate")
    }

    private mutating func modifierPrefix() throws(PredicateSyntaxError) -> (Modifier, Bool) {
        let result: (Modifier, Bool)
        switch keyword {
        case .any, .someOf: result = (.any, false)
        case .all: result = (.all, false)
        case .noneOf: result = (.any, true)
        default: return (.direct, false)
        }
        try advance()
        return result
    }

    private var comparisonOperator: Operator? {
        if case .symbol(let symbol) = token { return symbol.comparisonOperator }
        return keyword?.comparisonOperator
    }

    private mutating func comparisonOptions() throws(PredicateSyntaxError) -> ComparisonOptions {
        guard try accept(.openBracket) else { return [] }
        guard case .word(let letters) = token else {
            throw unexpected("options of the letters c, d, n and l")
        }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw unexpected("options of the letters c, d, n and l")
            }
        }
        try advance()
        try require(.closeBracket)
        return options
    }
}
