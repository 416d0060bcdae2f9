// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles

/// The values that a model file states for an attribute, as those of its type.
struct ModelFileValues {
    private let attribute: ModelFile.Attribute
    private let label: String

    init(_ attribute: ModelFile.Attribute, of entity: ModelFile.Entity) {
        self.attribute = attribute
        label = "\(entity.name).\(attribute.name)"
    }

    /// The value of a new object; nil where the file has none.
    func defaultValue() throws(ModelFileError) -> Any? {
        guard let text = attribute.defaultValue else { return nil }
        switch attribute.kind {
        case .integer16: return try integer(text, as: Int16.self)
        case .integer32: return try integer(text, as: Int32.self)
        case .integer64: return try integer(text, as: Int64.self)
        case .decimal: return NSDecimalNumber(decimal: try number(text))
        case .double: return try floatingPoint(text)
        case .float: return Float(try floatingPoint(text))
        case .string: return text
        case .boolean: return try boolean(text)
        case .date: return try date(text)
        // Core Data passes over a text that is no UUID.
        case .uuid: return UUID(uuidString: text)
        case .uri:
            guard let url = URL(string: text) else { throw fault(text, "URL") }
            return url
        case .binary, .transformable:
            throw ModelFileError(
                "\(label) has a default, which values of this type cannot have in a model file; "
                    + "set it in awakeFromInsert()", line: attribute.line)
        }
    }

    /// The bounds of values and of lengths, and the regular expression.
    func rules() throws(ModelFileError) -> [ValidationRule] {
        switch attribute.kind {
        case .string:
            var result: [ValidationRule] = []
            if let text = attribute.minimum { result.append(.minimumLength(try length(text))) }
            if let text = attribute.maximum { result.append(.maximumLength(try length(text))) }
            if let pattern = attribute.pattern { result.append(.pattern(pattern)) }
            return result
        case .date:
            var result: [ValidationRule] = []
            if let text = attribute.minimum { result.append(.earliest(try date(text))) }
            if let text = attribute.maximum { result.append(.latest(try date(text))) }
            return result
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            var result: [ValidationRule] = []
            if let text = attribute.minimum { result.append(.minimum(try number(text))) }
            if let text = attribute.maximum { result.append(.maximum(try number(text))) }
            return result
        case .boolean, .binary, .uuid, .uri, .transformable:
            // The editor keeps bounds of a type that the attribute had before.
            return []
        }
    }

    /// A whole number; the editor writes some with a fraction of zero.
    private func integer<Number: FixedWidthInteger>(
        _ text: String, as type: Number.Type
    ) throws(ModelFileError) -> Number {
        if let number = Number(text) { return number }
        guard let number = Double(text).flatMap({ Number(exactly: $0) }) else {
            throw fault(text, "\(type)")
        }
        return number
    }

    private func number(_ text: String) throws(ModelFileError) -> Decimal {
        // Decimal itself reads as far as it can.
        guard Double(text)?.isFinite == true,
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { throw fault(text, "number") }
        return number
    }

    private func floatingPoint(_ text: String) throws(ModelFileError) -> Double {
        guard let number = Double(text), number.isFinite else { throw fault(text, "number") }
        return number
    }

    private func boolean(_ text: String) throws(ModelFileError) -> Bool {
        switch text.lowercased() {
        case "yes", "true", "1": return true
        case "no", "false", "0": return false
        default: throw fault(text, "YES or NO")
        }
    }

    private func date(_ text: String) throws(ModelFileError) -> Date {
        Date(timeIntervalSinceReferenceDate: try floatingPoint(text))
    }

    private func length(_ text: String) throws(ModelFileError) -> Int {
        let length = try integer(text, as: Int.self)
        guard length >= 0 else { throw fault(text, "length") }
        return length
    }

    private func fault(_ text: String, _ type: String) -> ModelFileError {
        ModelFileError("\(label) is given \(text), which is no \(type)", line: attribute.line)
    }
}
