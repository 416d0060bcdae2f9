// SPDX-License-Identifier: Apache-2.0

import Schema

/// An attribute or a to-one relationship as objects see it.
struct FieldRuntime: Sendable {
    let name: String
    let type: AttributeType
    /// The attribute; `nil` for a to-one relationship.
    let attribute: Attribute?
    /// Whether records have the field, rather than memory only.
    let isStored: Bool

    var isRelationship: Bool { attribute == nil }

    /// What a new object's draft holds: a value for every field, so that none is looked up.
    var defaultValue: Value? { attribute?.defaultValue ?? .null }
}
