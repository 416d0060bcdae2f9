// SPDX-License-Identifier: Apache-2.0

/// Writes the methods Core Data gives a to-many relationship, by its names.
struct MutatorWriter {
    let property: PropertyDeclaration
    let type: ToManyType

    var methods: [String] {
        type == .orderedSet ? ordered + unordered : unordered
    }

    private var unordered: [String] {
        let element = type.element
        let collection = type.collection
        return [
            method("addTo", "_ value: \(element)", "insert", "value"),
            method("removeFrom", "_ value: \(element)", "remove", "value"),
            method("addTo", "_ values: \(collection)", "insert", "contentsOf: values"),
            method("removeFrom", "_ values: \(collection)", "remove", "contentsOf: values"),
        ]
    }

    private var ordered: [String] {
        let element = type.element
        let several = "_ values: [\(element)], at indexes: NSIndexSet"
        let replacement = "at idx: Int, with value: \(element)"
        let replacements = "at indexes: NSIndexSet, with values: [\(element)]"
        return [
            method("insertInto", "_ value: \(element), at idx: Int", "insert", "value, at: idx"),
            method("removeFrom", "at idx: Int", "remove", "at: idx"),
            method("insertInto", several, "insert", "contentsOf: values, at: indexes"),
            method("removeFrom", "at indexes: NSIndexSet", "remove", "at: indexes"),
            method("replace", replacement, "replace", "at: idx, with: value"),
            method("replace", replacements, "replace", "at: indexes, with: values"),
        ]
    }

    /// One method, named `verb` and the property, that calls the runtime's
    /// `__lode_`-prefixed `operation`.
    private func method(
        _ verb: String, _ parameters: String, _ operation: String, _ arguments: String
    ) -> String {
        let isolation = property.isNonisolated ? "nonisolated " : ""
        let modifiers = isolation + (property.mutatorAccess?.modifier ?? "")
        let name = property.name.spelled(verb + property.name.capitalized)
        let key = "Self." + ManagedMacro.keyName(of: property)
        return """
            \(modifiers)func \(name)(\(parameters)) {
                __lode_\(operation)(\(arguments), \(key))
            }
            """
    }
}
