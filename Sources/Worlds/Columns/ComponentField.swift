// SPDX-License-Identifier: Apache-2.0

/// A field of a value component, as ``ComponentType/fields`` lists it: `x:Float@0`.
public struct ComponentField: Sendable, Hashable {
    /// The name, with those of the structures around it: `size.width`.
    public let name: String
    /// The name of the Swift type.
    public let type: String
    /// The offset in bytes.
    public let offset: Int

    /// Reads a list of fields, up to the first that is not written like one.
    public static func list(_ text: String) -> [ComponentField] {
        var fields: [ComponentField] = []
        var rest = Substring(text)
        // A type's name may have spaces, and ends with the offset behind it.
        while let colon = rest.firstIndex(of: ":"),
            let at = rest[colon...].firstIndex(of: "@")
        {
            let end = rest[at...].firstIndex(of: " ") ?? rest.endIndex
            guard let offset = Int(rest[rest.index(after: at)..<end]), offset >= 0 else { break }
            fields.append(
                ComponentField(
                    name: String(rest[..<colon]),
                    type: String(rest[rest.index(after: colon)..<at]), offset: offset))
            rest = rest[end...].dropFirst()
        }
        return fields
    }
}
