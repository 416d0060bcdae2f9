// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension FunctionCall {
    func textAndTime() throws -> SubjectOperand? {
        switch (name, arguments.count) {
        case ("uppercase:", 1): try text { .string($0.uppercased()) }
        case ("lowercase:", 1): try text { .string($0.lowercased()) }
        case ("canonical:", 1):
            try text { .string(TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])) }
        case ("length:", 1): try length()
        case ("now", 0): .value(.date(Date().timeIntervalSinceReferenceDate))
        case ("noindex:", 1): arguments[0]
        case (FunctionName.cast, 2): .value(try cast())
        default: nil
        }
    }

    private func text(_ transform: (String) -> Value) throws -> SubjectOperand {
        if arguments[0].isNull { return .value(.null) }
        guard let text = arguments[0].scalar?.text else {
            throw PredicateEvaluationError(
                code: .typeMismatch, message: "\(name) needs text, not \(arguments[0].kind)")
        }
        return .value(transform(text))
    }

    /// The count of UTF-16 units of text, of bytes of data.
    private func length() throws -> SubjectOperand {
        if case .value(.binaryData(let bytes)) = arguments[0] {
            return .value(.integer64(Int64(bytes.count)))
        }
        return try text { .integer64(Int64($0.utf16.count)) }
    }

    private func cast() throws -> Value {
        guard let type = arguments[1].scalar?.text else {
            throw PredicateEvaluationError(
                code: .typeMismatch, message: "CAST needs the name of a type as text")
        }
        guard let value = arguments[0].scalar else {
            throw PredicateEvaluationError(
                code: .typeMismatch, message: "CAST needs a value, not \(arguments[0].kind)")
        }
        if value.isNull { return .null }
        if let result = value.literalCast(to: type) ?? value.cast(to: type) { return result }
        throw PredicateEvaluationError(
            code: .typeMismatch, message: "CAST cannot make \(type) of \(arguments[0].kind)")
    }
}

extension Value {
    fileprivate func cast(to type: String) -> Value? {
        switch type {
        case "NSNumber", "double":
            if let number = Number(self) { return number.value }
            if case .date(let seconds) = self { return .double(seconds) }
            return text.flatMap { Int64($0) }.map { .integer64($0) }
                ?? text.flatMap { Double($0) }.map { .double($0) }
        case "NSDate":
            if case .date = self { return self }
            let seconds = Number(self)?.doubleValue ?? text.flatMap { Double($0) }
            return seconds.map { .date($0) } ?? text.flatMap { Value(dateText: $0) }
        case "NSDecimalNumber":
            switch Number(self) {
            case .integer(let value): return .decimal(DecimalValue(value))
            case .decimal: return self
            case .double(let value):
                return DecimalValue(predicateText: value.description).map { .decimal($0) }
            case nil: return nil
            }
        case "NSString":
            if let text { return .string(text) }
            switch self {
            case .decimal(let value): return .string(value.scientificText)
            case .uuid(let value): return .string(value.description)
            default: return Number(self).map { _ in .string(predicateLiteral) }
            }
        default: return self.type.map { $0.castName == type } == true ? self : nil
        }
    }
}

extension AttributeType {
    /// The type's name in a cast that leaves its values as they are.
    fileprivate var castName: String? {
        switch self {
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .binaryData: "NSData"
        case .transformable: "Transformable"
        case .objectID: "NSManagedObjectID"
        default: nil
        }
    }
}
