// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

class Vehicle: NSManagedObject {
    var sound: String { "hum" }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(sound, forKey: "name")
    }
}

final class Lorry: Vehicle {
    override var sound: String { "roar" }
}

private final class Loaded: Vehicle {
    var load = ["sand"]
}

/// Writes its initialiser as one does who needs nothing of it.
private final class Initialised: Vehicle {
    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    /// A designated initialiser with a context that is not optional.
    init(named name: String, in context: NSManagedObjectContext) {
        let entity = NSEntityDescription.entity(forEntityName: "Initialised", in: context)
        super.init(entity: entity ?? NSEntityDescription(), insertInto: context)
        setValue(name, forKey: "name")
    }

    /// Calls the initialiser that all classes have, which this one must not hide.
    convenience init(label: String = "none", context: NSManagedObjectContext) {
        self.init(context: context)
        setValue(label, forKey: "name")
    }
}

extension NSManagedObject {
    fileprivate class func made(in context: NSManagedObjectContext) -> Self {
        Self(context: context)
    }

    fileprivate class func made(
        of entity: NSEntityDescription, in context: NSManagedObjectContext
    ) -> Self { self.init(entity: entity, insertInto: context) }
}

private func made<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) -> T {
    T(context: context)
}

private func made<T: NSManagedObject>(
    _ type: T.Type, of entity: NSEntityDescription, in context: NSManagedObjectContext
) -> T {
    T(entity: entity, insertInto: context)
}

/// An object has the class of its entity, in whatever way it was made.
@Suite struct EntityClassTests {
    private func stack() throws -> Stack {
        func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
            NSEntityDescription(
                name: name, managedObjectClass: type, properties: [Build.attribute("name")])
        }
        return try Stack(
            Build.model(
                entity("Vehicle", Vehicle.self), entity("Lorry", Lorry.self),
                entity("Loaded", Loaded.self), entity("Initialised", Initialised.self),
                entity("Plain", NSManagedObject.self)))
    }

    private func entity(_ name: String, _ stack: Stack) throws -> NSEntityDescription {
        try #require(stack.model.entitiesByName[name])
    }

    @Test func the_class_above_all_makes_objects_of_the_entity_s_class() throws {
        let stack = try stack()
        let lorry = try entity("Lorry", stack)
        for context in [stack.context, nil] {
            let made = NSManagedObject(entity: lorry, insertInto: context)
            #expect(type(of: made) == Lorry.self)
            #expect((made as? Lorry)?.sound == "roar")
            #expect(made.text("name") == (context == nil ? "-" : "roar"))
            #expect((made as? Vehicle)?.entity === lorry)
        }
        try stack.context.save()
        let found = try stack.context.fetch(NSFetchRequest<Lorry>(entityName: "Lorry"))
        #expect(found.map(\.sound) == ["roar"])
    }

    @Test func a_class_between_makes_objects_of_the_entity_s_class() throws {
        let stack = try stack()
        let made = Vehicle(entity: try entity("Lorry", stack), insertInto: stack.context)
        #expect(type(of: made) == Lorry.self && made.sound == "roar")
        let own = Vehicle(entity: try entity("Vehicle", stack), insertInto: stack.context)
        #expect(type(of: own) == Vehicle.self && own.sound == "hum")
    }

    @Test func plain_and_other_objects_in_turn_have_their_classes() throws {
        let stack = try stack()
        let (plain, lorry) = (try entity("Plain", stack), try entity("Lorry", stack))
        for _ in 0..<3 {
            let first = NSManagedObject(entity: plain, insertInto: stack.context)
            let second = NSManagedObject(entity: lorry, insertInto: stack.context)
            let third = Lorry(entity: lorry, insertInto: stack.context)
            #expect(type(of: first) == NSManagedObject.self)
            #expect(type(of: second) == Lorry.self && type(of: third) == Lorry.self)
        }
    }

    @Test func in_a_child_the_class_is_the_same() throws {
        let stack = try stack()
        let child = Stack.child(of: stack.context)
        try child.performAndWait {
            let made = NSManagedObject(entity: try entity("Lorry", stack), insertInto: child)
            #expect(made is Lorry)
            try child.save()
        }
        #expect(stack.context.insertedObjects.allSatisfy { $0 is Lorry })
        #expect(stack.context.insertedObjects.count == 1)
    }

    @Test func objects_go_without_a_trace() throws {
        weak var gone: NSManagedObject?
        let stack = try stack()
        do {
            let made = NSManagedObject(entity: try entity("Lorry", stack), insertInto: nil)
            gone = made
            #expect(made is Lorry)
        }
        #expect(gone == nil)
    }

    @Test func a_class_with_stored_properties_traps_and_says_what_to_write() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try EntityClassTests().stack()
            let entity = try EntityClassTests().entity("Loaded", stack)
            _ = NSManagedObject(entity: entity, insertInto: stack.context)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("write Loaded(entity:insertInto:)"))
        let stack = try stack()
        let made = Loaded(entity: try entity("Loaded", stack), insertInto: stack.context)
        #expect(made.load == ["sand"] && made.sound == "hum")
    }

    @Test func generic_code_makes_objects() throws {
        let stack = try stack()
        let context = stack.context
        #expect(made(Lorry.self, in: context).sound == "roar")
        #expect(made(Loaded.self, in: context).load == ["sand"])
        #expect(Loaded.made(in: context).load == ["sand"])
        #expect(made(Lorry.self, of: try entity("Lorry", stack), in: context).sound == "roar")
        #expect(Lorry.made(of: try entity("Lorry", stack), in: context).sound == "roar")
        #expect(context.insertedObjects.count == 5)
    }

    @Test func classes_as_values_make_objects() throws {
        let stack = try stack()
        let types: [NSManagedObject.Type] = [Vehicle.self, Lorry.self, Loaded.self]
        let made = types.map { $0.init(context: stack.context) }
        #expect(made.map { type(of: $0) == NSManagedObject.self } == [false, false, false])
        #expect(made.compactMap { ($0 as? Vehicle)?.sound } == ["hum", "roar", "hum"])
        let vehicle: Vehicle.Type = Lorry.self
        #expect(vehicle.init(context: stack.context).sound == "roar")
        let makers = types.map { type in { type.init(context: $0) } }
        #expect(makers.map { $0(stack.context).entity.name } == ["Vehicle", "Lorry", "Loaded"])
        #expect([stack.context].map(Lorry.init(context:)).map(\.sound) == ["roar"])
    }

    @Test func initialisers_of_a_class_s_own_call_the_usual_ones() throws {
        let stack = try stack()
        #expect(Initialised(named: "a", in: stack.context).text("name") == "a")
        #expect(Initialised(label: "b", context: stack.context).text("name") == "b")
        #expect(Initialised(context: stack.context).text("name") == "hum")
        #expect(made(Initialised.self, in: stack.context).sound == "hum")
        try stack.context.save()
        try stack.reopen()
        let found = try stack.context.all("Initialised")
        #expect(Set(found.map { $0.text("name") }) == ["a", "b", "hum"])
        #expect(found.allSatisfy { $0 is Initialised })
    }

    @Test func insertion_by_name_makes_the_entity_s_class() throws {
        let stack = try stack()
        let made = NSEntityDescription.insertNewObject(forEntityName: "Loaded", into: stack.context)
        #expect((made as? Loaded)?.load == ["sand"])
    }
}
