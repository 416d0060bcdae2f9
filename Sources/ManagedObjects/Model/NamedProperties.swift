// SPDX-License-Identifier: Apache-2.0

/// The properties of an entity by their names.
struct NamedProperties: Sendable {
    let all: [String: NSPropertyDescription]
    let attributes: [String: NSAttributeDescription]
    let relationships: [String: NSRelationshipDescription]

    /// - Parameter properties: Inherited ones first; of two of a name the last counts.
    init(_ properties: [NSPropertyDescription]) {
        all = Dictionary(properties.map { ($0.name, $0) }) { _, own in own }
        attributes = all.compactMapValues { $0 as? NSAttributeDescription }
        relationships = all.compactMapValues { $0 as? NSRelationshipDescription }
    }
}
