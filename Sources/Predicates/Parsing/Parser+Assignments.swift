// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// The parts that an assigned expression may have: each use of its variable repeats them.
    static let maximumParts = 100

    /// Reads a variable, or `$name := value`; the token is the variable.
    ///
    /// An assignment is its value, and so is the variable from there to the end of the format.
    mutating func variable(_ name: String) throws(PredicateSyntaxError) -> Item {
        let begin = start
        try advance()
        guard try accept(.assign) else {
            guard var value = assigned[name] else {
                return Item(node: .expression(.variable(name)), start: begin)
            }
            value.start = begin
            return value
        }
        var value = try nested { (parser) throws(PredicateSyntaxError) in try parser.operation() }
        guard try expression(value).partCount <= Parser.maximumParts else {
            throw lexer.error(
                .nestedTooDeeply, at: value.start,
                expected: "a value of at most \(Parser.maximumParts) parts for $\(name)",
                found: "more")
        }
        value.start = begin
        assigned[name] = value
        return value
    }

    /// Reads the condition of a subquery, in which its variable is the member.
    mutating func condition(over variable: String) throws(PredicateSyntaxError) -> Item {
        let outer = assigned
        // What names a variable of this name means another one.
        assigned = outer.filter { name, value in
            guard case .expression(let expression) = value.node else { return false }
            return name != variable && !expression.variables.contains(variable)
        }
        let condition = try item()
        assigned = outer
        return condition
    }
}

extension Expression {
    fileprivate var partCount: Int {
        var count = 0
        _ = replacing { _ in
            count += 1
            return nil
        }
        return count
    }
}
