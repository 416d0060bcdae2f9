// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

// What applications have written for themselves, as Core Data has no such initialisers: these must
// compile beside Lode's own and win where they are the same.

extension NSAttributeDescription {
    fileprivate convenience init(
        name: String, ofType type: NSAttributeType, isOptional: Bool = false
    ) {
        self.init()
        self.name = name
        attributeType = type
        self.isOptional = isOptional
    }

    fileprivate convenience init(name: String, type: AttributeType) {
        self.init()
        self.name = "own \(name)"
        self.type = type
    }

    fileprivate convenience init(name: String, type: NSAttributeType) {
        self.init()
        self.name = "old \(name)"
        attributeType = type
    }
}

extension NSEntityDescription {
    fileprivate convenience init(from type: AnyClass) {
        self.init()
        name = String(describing: type)
        managedObjectClassName = NSStringFromClass(type)
    }

    fileprivate convenience init(name: String) {
        self.init()
        self.name = "own \(name)"
    }

    fileprivate func addProperty(_ property: NSPropertyDescription) {
        properties.append(property)
    }
}

extension NSManagedObjectModel {
    fileprivate convenience init(entities: [NSEntityDescription]) {
        self.init()
        self.entities = entities
        versionIdentifiers = ["own"]
    }
}

final class OwnCreature: NSManagedObject {}

@Suite struct OwnInitialiserTests {
    @Test func doNotClash() {
        let entity = NSEntityDescription(from: OwnCreature.self)
        entity.addProperty(NSAttributeDescription(name: "health", ofType: .integer32AttributeType))
        #expect(entity.name == "OwnCreature")
        #expect(entity.attributesByName["health"]?.isOptional == false)
        #expect(entity.attributesByName["health"]?.attributeType == .integer32AttributeType)
    }

    @Test func winWhereTheyAreTheSame() {
        #expect(NSAttributeDescription(name: "a", type: .string).name == "own a")
        #expect(NSAttributeDescription(name: "a", type: .stringAttributeType).name == "old a")
        #expect(NSAttributeDescription(name: "a", type: .string, isOptional: true).name == "a")
        #expect(NSEntityDescription(name: "E").name == "own E")
        #expect(NSEntityDescription(name: "E", properties: []).name == "E")
        #expect(NSManagedObjectModel(entities: []).versionIdentifiers == ["own"])
    }
}
