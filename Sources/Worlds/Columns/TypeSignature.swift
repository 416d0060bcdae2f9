// SPDX-License-Identifier: Apache-2.0

@_spi(Reflection) import Swift

/// The text by which a file knows the layout of a type again.
///
/// It lists fields with type and offset, `x:Float@0 hue:Hue{red,green}@4`, those of structures
/// within the type as well. What an enumeration, a tuple or an optional structure is made of stands
/// in braces behind its name: its *details*. They have neither colons nor at signs, so that a
/// reader of the list may take them for a part of the type's name.
///
/// - `Hue{red,green}`: the cases; bytes say which of them a value is by its number.
/// - `Goal{follow(GameObjectID),go(Spot{x=Int+0,y=Int+8}),none}`: cases with payloads first.
/// - `InlineArray<3, Hue>{3*Hue{red,green}}`.
/// - `Optional<Spot>{some(Spot{x=Int+0,y=Int+8}),none}`, but `Optional<Int>`.
enum TypeSignature {
    /// The fields of a type, those of structures within it too; the details of another type.
    static func fields(of type: Any.Type) -> [String] {
        let fields = fields(of: type, "", 0)
        let details = fields.isEmpty ? details(of: type) : ""
        return details.isEmpty ? fields : [details]
    }

    private static func fields(of type: Any.Type, _ prefix: String, _ start: Int) -> [String] {
        var result: [String] = []
        _ = _forEachField(of: type, options: []) { name, offset, field, kind in
            let label = prefix + String(cString: name)
            if let array = field as? any ElementsInPlace.Type {
                // The language has no name for what an inline array keeps its elements in.
                let type = "<<< invalid type >>>" + elementDetails(of: array)
                result.append("\(label)._storage:\(type)@\(start + offset)")
                return true
            }
            let inner = kind == .struct ? fields(of: field, label + ".", start + offset) : []
            if inner.isEmpty || isNumber(field) {
                result.append("\(label):\(text(of: field))@\(start + offset)")
            } else {
                result += inner
            }
            return true
        }
        return result
    }

    /// A type with its details.
    private static func text(of type: Any.Type) -> String { "\(type)" + details(of: type) }

    /// What the name of a type does not say; empty for numbers and whatever is made of names alone.
    private static func details(of type: Any.Type) -> String {
        if isNumber(type) { return "" }
        if let array = type as? any ElementsInPlace.Type {
            return details(of: array.elementType).isEmpty ? "" : elementDetails(of: array)
        }
        switch EnumerationCases.kind(of: type) {
        case .enumeration: return inBraces(cases(of: type))
        case .optional:
            let isPlain = EnumerationCases.list(of: type)?.allSatisfy {
                $0.payload.map { details(of: $0).isEmpty } ?? true
            }
            return isPlain ?? true ? "" : inBraces(cases(of: type))
        case .tuple where elements(of: type).allSatisfy({ details(of: $0.type).isEmpty }):
            return ""
        case .structure, .tuple: return inBraces(elements(of: type).map(\.text))
        case nil: return ""
        }
    }

    private static func elementDetails(of array: any ElementsInPlace.Type) -> String {
        "{\(array.elementCount)*\(text(of: array.elementType))}"
    }

    private static func inBraces(_ parts: [String]) -> String {
        parts.isEmpty ? "" : "{" + parts.joined(separator: ",") + "}"
    }

    private static func cases(of type: Any.Type) -> [String] {
        (EnumerationCases.list(of: type) ?? []).map { one in
            guard let payload = one.payload else { return plain(one.name) }
            let parts = elements(of: payload).map(\.text).joined(separator: ",")
            let isTuple = EnumerationCases.kind(of: payload) == .tuple
            return plain(one.name) + "(" + (isTuple ? parts : text(of: payload)) + ")"
        }
    }

    /// The fields of a structure, or the elements of a tuple.
    private static func elements(of type: Any.Type) -> [(type: Any.Type, text: String)] {
        var result: [(Any.Type, String)] = []
        _ = _forEachField(of: type, options: []) { name, offset, field, _ in
            result.append((field, "\(plain(String(cString: name)))=\(text(of: field))+\(offset)"))
            return true
        }
        return result
    }

    /// A name, which backticks may give any character, without those that have a meaning here.
    private static func plain(_ name: String) -> String {
        String(name.map { "{}()@:,=+ ".contains($0) ? "_" : $0 })
    }

    /// Whether a structure is one of the language's numbers, whose own fields say nothing.
    private static func isNumber(_ type: Any.Type) -> Bool {
        type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type || type == Bool.self
            || type == GameObjectID.self || type is any SIMD.Type
    }
}

/// Comparing texts, some of which have no details: those that earlier versions wrote.
extension TypeSignature {
    static func hasDetails(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "{"))
    }

    /// Whether two texts may be of one layout.
    static func agree(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard hasDetails(one) != hasDetails(other) else { return false }
        return withoutDetails(one) == withoutDetails(other)
    }

    /// A text as earlier versions wrote it.
    static func withoutDetails(_ text: String) -> String {
        var depth = 0
        return text.filter { character in
            if character == "{" { depth += 1 }
            defer { if character == "}" { depth -= 1 } }
            return depth == 0
        }
    }
}
