// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// A node of a graph: its properties are objects of their own, and are asked for by name.
private class Node: NSManagedObject {
    @Managed var kind: String
    @Managed var properties: Set<NodeProperty>

    subscript(name: String) -> Any? {
        properties.first { $0.name == name }?.object
    }

    func snapshot() -> [String: String] {
        [kind: properties.map(\.name).sorted().joined(separator: ", ")]
    }
}

private final class User: Node {
    override subscript(name: String) -> Any? {
        get { super[name] }
        set {
            let property = properties.first { $0.name == name }
            guard let newValue else {
                if let property { managedObjectContext?.delete(property) }
                return
            }
            guard property == nil, let context = managedObjectContext else {
                property?.object = newValue
                return
            }
            let new = NodeProperty(context: context)
            (new.name, new.object, new.node) = (name, newValue, self)
        }
    }
}

private final class NodeProperty: NSManagedObject {
    @Managed var name: String
    @Managed var object: Any
    @Managed var note: Any?
    @Managed var node: Node?
}

private func makeContext() throws -> NSManagedObjectContext {
    let user = NSEntityDescription(name: "User", managedObjectClass: User.self)
    let property = NSEntityDescription(name: "Property", managedObjectClass: NodeProperty.self)
    let properties = NSRelationshipDescription(name: "properties", destination: property)
    user.properties = [NSAttributeDescription(name: "kind", type: .string), properties]
    let object = NSAttributeDescription(name: "object", type: .transformable)
    object.valueTransformerName = "NSSecureUnarchiveFromData"
    property.properties = [
        NSAttributeDescription(name: "name", type: .string), object,
        NSAttributeDescription(name: "note", type: .integer16),
        NSRelationshipDescription(
            name: "node", destination: user, maxCount: 1, inverse: properties),
    ]
    let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: NSManagedObjectModel(entities: [user, property]))
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
}

/// Classes that declare members which Core Data does not have, and this library does.
@Suite struct OwnMemberTests {
    @Test func subclasses_may_have_subscripts_of_their_own() throws {
        let context = try makeContext()
        try context.performAndWait {
            let user = User(context: context)
            user.kind = "admin"
            user["name"] = "Ada"
            user["age"] = 36
            user["name"] = "Ada L"
            try context.save()
            context.refreshAllObjects()
            #expect(user["name"] as? String == "Ada L")
            #expect(user["age"] as? Int == 36)
            user["age"] = nil
            #expect((user as Node)["name"] as? String == "Ada L")
            try context.save()
            #expect(user.snapshot() == ["admin": "name"])
            #expect((user as NSManagedObject)["kind"] as? String == "admin")
            (user as NSManagedObject)["kind"] = "guest"
            #expect(user.kind == "guest")
        }
    }

    @Test func a_property_may_be_any() throws {
        let context = try makeContext()
        try context.performAndWait {
            let property = NodeProperty(context: context)
            #expect(property.note == nil)
            #expect(property.object as Any? is String == false)
            property.object = ["a", "b"]
            property.note = 7
            try context.save()
            context.refreshAllObjects()
            #expect(property.object as? [String] == ["a", "b"])
            #expect(property.note as? Int == 7)
            property.note = nil
            #expect(property.value(forKey: "note") == nil)
            #expect(property["note"] == nil)
        }
    }
}
