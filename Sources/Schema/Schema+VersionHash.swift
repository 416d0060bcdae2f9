// SPDX-License-Identifier: Apache-2.0

extension Entity {
    /// A 64-bit digest of everything that decides whether stored data fits the entity.
    ///
    /// Covers what Core Data's entity hash covers: name, parent, abstractness, each property's
    /// name, type, optionality and transience, destinations, inverses, counts and uniqueness
    /// constraints. Class names, defaults and plain indexes do not count.
    public var versionHash: UInt64 {
        var digest = Digest()
        digest.add(name)
        digest.add(superentity ?? "")
        digest.add(isAbstract)
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            digest.add(attribute.name)
            digest.add(UInt64(attribute.type.rawValue))
            digest.add(attribute.isOptional)
            digest.add(attribute.isTransient)
        }
        for relationship in relationships.sorted(by: { $0.name < $1.name }) {
            digest.add(relationship.name)
            digest.add(relationship.destination)
            digest.add(relationship.inverse ?? "")
            digest.add(relationship.isOptional)
            digest.add(relationship.isTransient)
            digest.add(relationship.isToMany)
            digest.add(relationship.isOrdered)
            digest.add(UInt64(relationship.minCount))
            digest.add(UInt64(relationship.maxCount))
            digest.add(UInt64(relationship.deleteRule.rawValue))
        }
        for index in indexes.filter(\.isUnique).sorted(by: { $0.name < $1.name }) {
            for property in index.properties { digest.add(property) }
            digest.add("")
        }
        return digest.value
    }
}

extension Schema {
    /// A 64-bit digest of all entities.
    public var versionHash: UInt64 {
        var digest = Digest()
        for entity in entities { digest.add(entity.versionHash) }
        return digest.value
    }
}

/// FNV-1a over length-prefixed fields: stable across runs and machines, unlike `Hasher`.
private struct Digest {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    mutating func add(_ flag: Bool) { add(UInt8(flag ? 1 : 0)) }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }
}
