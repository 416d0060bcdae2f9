// SPDX-License-Identifier: Apache-2.0

extension FormatWriter {
    mutating func writeFunction(_ name: String, _ arguments: [Expression]) {
        if let (symbol, precedence) = Expression.function(name, arguments).infix {
            writeOperand(arguments[0], least: precedence)
            append(" " + symbol + " ")
            writeOperand(arguments[1], least: precedence + 1)
            return
        }
        switch (name, arguments.count) {
        case (FunctionName.complement, 1):
            append("~")
            writeOperand(arguments[0], least: .max)
        case (FunctionName.index, 2):
            writeBase(arguments[0])
            write([arguments[1]], "[", "]")
        case (FunctionName.first, 1): writeIndex("[FIRST]", of: arguments[0])
        case (FunctionName.last, 1): writeIndex("[LAST]", of: arguments[0])
        case (FunctionName.size, 1): writeIndex("[SIZE]", of: arguments[0])
        case (FunctionName.anyKey, 0): append(FunctionName.anyKey)
        case (FunctionName.cast, 2): write(arguments, "CAST(", ")")
        default: write(arguments, FormatWriter.name(name, arguments.count) + "(", ")")
        }
    }

    private mutating func writeIndex(_ index: String, of base: Expression) {
        writeBase(base)
        append(index)
    }

    private mutating func writeOperand(_ operand: Expression, least: Int) {
        if let (_, precedence) = operand.infix, precedence < least {
            writeParenthesized(operand)
        } else {
            write(operand)
        }
    }

    /// The name before the parenthesis: the colon of `sum:` is understood.
    private static func name(_ selector: String, _ count: Int) -> String {
        guard count > 0, selector.hasSuffix(":") else { return selector }
        let name = String(selector.dropLast())
        return name.contains(":") || Keyword(word: name) != nil ? selector : name
    }
}

extension Expression {
    /// Whether the expression begins with an operator, so that keys behind it need parentheses.
    var isPrefixed: Bool {
        if case .function(FunctionName.complement, let arguments) = self {
            arguments.count == 1
        } else {
            false
        }
    }

    /// How the expression is written between two operands; `nil` when it is not.
    var infix: (symbol: String, precedence: Int)? {
        guard case .function(let name, let arguments) = self, arguments.count == 2 else {
            return nil
        }
        return switch name {
        case FunctionName.union: ("UNION", 0)
        case FunctionName.intersect: ("INTERSECT", 0)
        case FunctionName.minus: ("MINUS", 0)
        case FunctionName.bitOr: ("|", 1)
        case FunctionName.bitXor: ("^", 2)
        case FunctionName.bitAnd: ("&", 3)
        case FunctionName.shiftLeft: ("<<", 4)
        case FunctionName.shiftRight: (">>", 4)
        case FunctionName.add: ("+", 5)
        case FunctionName.subtract: ("-", 5)
        case FunctionName.multiply: ("*", 6)
        case FunctionName.divide: ("/", 6)
        case FunctionName.power: ("**", 7)
        default: nil
        }
    }
}
