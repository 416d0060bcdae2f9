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
        return """
            {
                get { __lode_read(\(key)) }
                set { __lode_write(newValue, \(key)) }
            }
            """
    }

    /// The name of the static property that holds the key.
    static func keyName(of property: PropertyDeclaration) -> String {
        property.name.spelled("__lode_" + property.name.text)
    }
}
