// SPDX-License-Identifier: Apache-2.0

import Schema

extension Parser {
    /// Takes the next argument for the conversion that is the token.
    mutating func argument(
        _ conversion: Conversion
    ) throws(PredicateSyntaxError) -> Expression {
        guard usedArguments < arguments.count else {
            throw lexer.error(
                .tooFewArguments, at: start, expected: "an argument for each conversion",
                found: "only \(arguments.count)")
        }
        if leavesArgumentsOpen, conversion != .keyPath {
            usedArguments += 1
            return .variable(OpenArgument.name(usedArguments - 1))
        }
        let argument = arguments[usedArguments]
        guard let expression = conversion.expression(of: argument) else {
            throw lexer.error(
                .argumentType, at: start,
                expected: "\(conversion.requirement) as argument \(usedArguments + 1)",
                found: argument.summary)
        }
        usedArguments += 1
        return expression
    }
}

extension Conversion {
    /// The expression that an argument gives; `nil` when its type does not fit.
    func expression(of argument: Argument) -> Expression? {
        switch (self, argument) {
        case (.object, .operand(let operand)): .constant(operand)
        case (.object, .standIn(let name, _)): .variable(name)
        case (.object, .expression(let expression)), (.keyPath, .expression(let expression)):
            expression
        case (.keyPath, .keyPath(let text)), (.keyPath, .operand(.value(.string(let text)))):
            Expression(keyPathText: text)
        case (_, .operand(.value(let value))) where accepts(value): .constant(.value(value))
        default: nil
        }
    }

    private func accepts(_ value: Value) -> Bool {
        switch value {
        case .integer16, .integer32, .integer64, .boolean:
            self == .integer || self == .number || self == .character
        case .decimal(let number):
            self == .number || self == .integer && number.exponent >= 0
        case .double, .float: self == .number
        case .string: self == .string || self == .character
        default: false
        }
    }

    fileprivate var requirement: String {
        switch self {
        case .object: "a constant"
        case .keyPath: "a key path"
        case .integer: "a whole number"
        case .number: "a number"
        case .string: "a string"
        case .character: "a whole number or a string"
        }
    }
}

extension Argument {
    /// What the argument is, for messages; constants are not shown, they may be private.
    fileprivate var summary: String {
        switch self {
        case .keyPath(let text): "the key path “\(text.prefix(40))”"
        case .expression: "an expression"
        case .standIn(_, let what), .unusable(let what): what
        case .fetchRequest: "a fetch request"
        case .fetchContext: "a context"
        case .operand(.list): "a list"
        case .operand(.value(let value)):
            value.type.map { "a value of type \($0)" } ?? "nil"
        }
    }
}

extension Expression {
    /// The expression of a key path's text; `nil` where a key is empty.
    public init?(keyPathText text: String) {
        var keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty && $0 != "@" }) else { return nil }
        if keys[0].uppercased() == Keyword.evaluatedObject.rawValue { keys.removeFirst() }
        self = .path(keys, of: .evaluatedObject)
    }
}
