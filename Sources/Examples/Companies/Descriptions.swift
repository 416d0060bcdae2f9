// SPDX-License-Identifier: Apache-2.0

import CoreData

// The tutorial's helpers: what it adds to the descriptions, so that a model reads like a list.

extension NSEntityDescription {
    /// An entity named after a class, whose objects are of the class.
    convenience init(from classType: AnyClass) {
        self.init()
        name = String(describing: classType)
        managedObjectClassName = NSStringFromClass(classType)
    }

    /// Appends a property.
    func addProperty(_ property: NSPropertyDescription) {
        properties.append(property)
    }
}

extension NSAttributeDescription {
    /// An attribute of a type.
    convenience init(name: String, ofType type: NSAttributeType, isOptional: Bool = false) {
        self.init()
        self.name = name
        attributeType = type
        self.isOptional = isOptional
    }
}
