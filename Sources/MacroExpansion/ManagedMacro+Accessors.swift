// SPDX-License-Identifier: Apache-2.0

extension ManagedMacro {
    /// What an unusable declaration gets: with no accessors at all the compiler
    /// would complain about that as well.
    static let placeholder = """
        {
            get { fatalError() }
            set { fatalError() }
        }
        """

    static func accessors(of property: PropertyDeclaration) -> String {
        let key = "Self." + keyName(of: property)
        if property.name.namesPrimitive { return primitiveAccessors(key) }
        return """
            {
                get { __lode_read(\(key)) }
                set { __lode_write(newValue, \(key)) }
            }
            """
    }

    /// Those of `primitiveName`: the raw value of `name`, unless the entity itself has a property
    /// of that name, which only the program knows when it runs.
    private static func primitiveAccessors(_ key: String) -> String {
        """
        {
            get { __lode_read(\(key)) }
            set {
                if __lode_isPrimitive(\(key)) {
                    __lode_writePrimitive(newValue, \(key))
                } else {
                    __lode_write(newValue, \(key))
                }
            }
        }
        """
    }

    /// The name of the static property that holds the key.
    static func keyName(of property: PropertyDeclaration) -> String {
        property.name.spelled("__lode_" + property.name.text)
    }
}
