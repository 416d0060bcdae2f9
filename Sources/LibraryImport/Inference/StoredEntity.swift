// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a store that exists knows of an entity, for the inference: the store's names count.
struct StoredEntity: Sendable {
    /// A relationship to another entity.
    struct Relationship: Sendable {
        let destination: String
        let inverse: String?
    }

    /// The types of the attributes.
    var attributes: [String: AttributeType] = [:]
    /// The attributes that the store keeps unique by themselves.
    var unique: Set<String> = []
    var relationships: [String: Relationship] = [:]

    /// The attribute that references to the entity hold, if the data does not have the entity.
    func key(ofEntity name: String) -> (name: String, type: AttributeType)? {
        func rank(_ attribute: String) -> Int {
            KeyName.rank(attribute, ofEntity: name) ?? Int.max
        }
        let key = unique.min { (rank($0), $0) < (rank($1), $1) }
        return key.flatMap { key in attributes[key].map { (key, $0) } }
    }
}
