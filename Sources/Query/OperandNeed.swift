// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// What an operator or a function applies to.
enum OperandNeed {
    case text
    case textOrData
    case textOrCollection
    case integers
    case numbers
    case numbersOrDates
    case collection
    case oneValue

    /// What all arguments of a function must be; nil where that is not one thing for all.
    init?(argumentsOf function: String) {
        switch function {
        case "uppercase:", "lowercase:", "canonical:": self = .text
        case "length:": self = .textOrData
        case "abs:", "floor:", "ceiling:", "trunc:", "sqrt:", "log:", "ln:", "exp:", "randomn:",
            FunctionName.multiply, FunctionName.divide, FunctionName.power, "modulus:by:",
            "sum:", "average:", "median:", "mode:", "stddev:":
            self = .numbers
        case FunctionName.add, FunctionName.subtract: self = .numbersOrDates
        case FunctionName.first, FunctionName.last, FunctionName.size, FunctionName.union,
            FunctionName.intersect, FunctionName.minus:
            self = .collection
        case _ where BitOperation.isFunction(function): self = .integers
        default: return nil
        }
    }

    /// What is needed, for messages.
    var text: String {
        switch self {
        case .text: "text"
        case .textOrData: "text or data"
        case .textOrCollection: "text or a collection"
        case .integers: "integers"
        case .numbers: "numbers"
        case .numbersOrDates: "numbers or dates"
        case .collection: "a collection"
        case .oneValue: "one value"
        }
    }

    /// Whether an operand may be what is needed.
    func accepts(_ type: OperandType) -> Bool {
        if type.isCollection { return self == .collection || self == .textOrCollection }
        switch type.kind {
        case .unknown: return true
        case .object: return self == .oneValue
        case .value(let type): return accepts(type)
        }
    }

    private func accepts(_ type: AttributeType) -> Bool {
        // The value may be of any class.
        if type == .transformable { return true }
        switch self {
        case .text, .textOrCollection: return type.isText
        case .textOrData: return type.isText || type == .binaryData
        case .integers:
            return [.integer16, .integer32, .integer64, .boolean].contains(type)
        case .numbers: return type.isNumeric
        case .numbersOrDates: return type.isNumeric || type == .date
        case .collection: return false
        case .oneValue: return true
        }
    }
}
