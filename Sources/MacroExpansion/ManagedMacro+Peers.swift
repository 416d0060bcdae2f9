// SPDX-License-Identifier: Apache-2.0

extension ManagedMacro {
    /// The key and, for a to-many relationship, the methods that change it.
    ///
    /// An overriding property has neither: its superclass declares them.
    static func peers(of property: PropertyDeclaration, key: String?) -> String {
        if property.isOverride { return "" }
        let literal = key ?? "\"\(property.name.text)\""
        let modifiers = property.access?.modifier ?? ""
        // A key path without a setter is known by this from one of a computed property.
        let argument = property.setterAccess == nil ? "" : ", hasLimitedSetter: true"
        let keyLine =
            "nonisolated \(modifiers)static let \(keyName(of: property)) = "
            + "PropertyKey(\(literal)\(argument))"
        guard let toMany = ToManyType(property.type) else { return keyLine }
        let methods = MutatorWriter(property: property, type: toMany).methods
        return ([keyLine] + methods).joined(separator: "\n\n")
    }
}
