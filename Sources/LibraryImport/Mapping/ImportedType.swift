// SPDX-License-Identifier: Apache-2.0

import Schema

/// The attribute types that text can be converted to, by their names in mapping files.
enum ImportedType {
    /// The types in the order of the documentation.
    static let all: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .uuid, .uri, .binaryData,
    ]

    /// The type of a name.
    static func type(named name: String) -> AttributeType? {
        all.first { self.name($0) == name }
    }

    /// The name of a type: that of its case.
    static func name(_ type: AttributeType) -> String {
        "\(type)"
    }
}
