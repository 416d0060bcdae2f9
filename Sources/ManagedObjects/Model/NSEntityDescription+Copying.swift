// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension NSEntityDescription: NSCopying {
    /// An editable description with copies of the entity's own properties and indexes.
    ///
    /// It belongs to no model and no hierarchy; relationships still name the original's
    /// destinations. Copy the whole model to get a graph of its own.
    public func copy(with zone: NSZone? = nil) -> Any {
        let result = copyWithoutIndexes()
        result.copyIndexes(of: self)
        return result
    }

    func copyWithoutIndexes() -> NSEntityDescription {
        let result = NSEntityDescription()
        result.name = name
        result.managedObjectClassName = managedObjectClassName
        if let knownClass { result.setClass(knownClass) }
        result.isClassOptional = isClassOptional
        result.isAbstract = isAbstract
        result.userInfo = userInfo
        if renamingIdentifier != name { result.renamingIdentifier = renamingIdentifier }
        result.properties = declaredProperties.compactMap { $0.copy() as? NSPropertyDescription }
        result.uniquenessConstraints = uniquenessConstraints.map { constraint in
            constraint.map { ($0 as? NSPropertyDescription)?.name ?? $0 }
        }
        return result
    }

    /// Takes over another entity's indexes, for the properties of the same names here.
    func copyIndexes(of other: NSEntityDescription) {
        let properties = propertiesByName
        indexes = other.indexes.map { index in
            let elements = index.elements.map { element in
                let copy = NSFetchIndexElementDescription(
                    property: properties[element.propertyName] ?? element.property,
                    collationType: element.collationType)
                copy.isAscending = element.isAscending
                return copy
            }
            let copy = NSFetchIndexDescription(name: index.name, elements: elements)
            copy.partialIndexPredicate = index.partialIndexPredicate
            return copy
        }
    }
}

extension NSEntityDescription {
    /// A digest of what decides whether stored data fits the entity.
    ///
    /// Covers name, superentity, abstractness, properties and uniqueness constraints. Traps for an
    /// entity that breaks a rule, such as one without a name.
    public final var versionHash: Data {
        do {
            return withUnsafeBytes(of: try compiled().versionHash.bigEndian) { Data($0) }
        } catch {
            trap("the entity has no version hash: \(error)")
        }
    }
}
