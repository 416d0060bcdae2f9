// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

final class ClassNameTopLevel: NSManagedObject {}

enum ClassNameOuter {
    final class Inner: NSManagedObject {}

    enum Deeper {
        final class ClassNameNested: NSManagedObject {}
        final class Twin: NSManagedObject {}
    }

    final class Twin: NSManagedObject {}
}

private final class ClassNamePrivate: NSManagedObject {}

final class ClassNameGeneric<Element>: NSManagedObject {}

/// Is no managed object.
final class ClassNameStranger {}

/// Classes are found by the names that models give them, before the program has used them.
@Suite struct ClassNameTests {
    private static func model(_ className: String?) -> NSManagedObjectModel {
        let entity = Build.entity("Thing", [Build.attribute("name")])
        entity.managedObjectClassName = className
        return Build.model(entity)
    }

    /// The class of an object that is made and of the same one, read again.
    private func classes(_ className: String?) throws -> [NSManagedObject.Type] {
        let stack = try Stack(Self.model(className))
        let made = stack.context.make("Thing", ["name": "a"])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let found = try #require(try other.all("Thing").first)
        return [type(of: made), type(of: found)]
    }

    @Test(arguments: [
        "ClassNameTopLevel", ".ClassNameTopLevel", "ManagedObjectsTests.ClassNameTopLevel",
    ])
    func classes_of_a_test_bundle(_ name: String) throws {
        let found = try classes(name)
        #expect(found.allSatisfy { $0 == ClassNameTopLevel.self })
    }

    @Test(arguments: [
        "Inner", "ClassNameOuter.Inner", "ManagedObjectsTests.ClassNameOuter.Inner",
    ])
    func nested_classes(_ name: String) throws {
        #expect(try classes(name).allSatisfy { $0 == ClassNameOuter.Inner.self })
    }

    @Test func a_class_within_a_function_has_a_name() throws {
        final class Local: NSManagedObject {}
        #expect(try classes(NSStringFromClass(Local.self)).allSatisfy { $0 == Local.self })
        #expect(
            NSStringFromClass(ClassNameOuter.Inner.self)
                == "ManagedObjectsTests.ClassNameOuter.Inner")
        #expect(
            NSStringFromClass(ClassNameTopLevel.self) == "ManagedObjectsTests.ClassNameTopLevel")
        #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
    }

    @Test func deeply_nested_classes() throws {
        let name = String(reflecting: ClassNameOuter.Deeper.ClassNameNested.self)
        #expect(name == "ManagedObjectsTests.ClassNameOuter.Deeper.ClassNameNested")
        #expect(
            try classes(name).allSatisfy { $0 == ClassNameOuter.Deeper.ClassNameNested.self })
    }

    @Test func private_classes() throws {
        let names = [
            "ClassNamePrivate", "ManagedObjectsTests.ClassNamePrivate",
            String(reflecting: ClassNamePrivate.self),
        ]
        for name in names {
            #expect(try classes(name).allSatisfy { $0 == ClassNamePrivate.self })
        }
    }

    @Test func classes_of_functions() throws {
        final class ClassNameLocal: NSManagedObject {}
        #expect(try classes("ClassNameLocal").allSatisfy { $0 == ClassNameLocal.self })
    }

    @Test func generic_classes_as_such_or_once_they_were_used() throws {
        let entity = NSEntityDescription(
            name: "Thing", managedObjectClass: ClassNameGeneric<Int>.self)
        let stack = try Stack(Build.model(entity))
        #expect(stack.context.make("Thing") is ClassNameGeneric<Int>)
        #expect(ClassNameGeneric<Int>(context: stack.context).entity === entity)
        let name = String(reflecting: ClassNameGeneric<Int>.self)
        #expect(name == "ManagedObjectsTests.ClassNameGeneric<Swift.Int>")
        #expect(try classes(name).allSatisfy { $0 == ClassNameGeneric<Int>.self })
    }

    @Test(arguments: ["NSManagedObject", "", nil, "ManagedObjects.NSManagedObject"])
    func plain_objects(_ name: String?) throws {
        #expect(try classes(name).allSatisfy { $0 == NSManagedObject.self })
    }

    @Test func a_longer_name_tells_classes_apart() throws {
        #expect(try classes("ClassNameOuter.Twin").allSatisfy { $0 == ClassNameOuter.Twin.self })
        #expect(try classes("Deeper.Twin").allSatisfy { $0 == ClassNameOuter.Deeper.Twin.self })
    }

    private func message(
        _ result: ExitTest.Result?
    ) -> String { String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) }

    @Test func a_name_of_several_classes_is_refused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPersistentContainer(name: "", managedObjectModel: ClassNameTests.model("Twin"))
        }
        #expect(
            message(result).contains(
                "entity Thing names the class Twin, which may be "
                    + "ManagedObjectsTests.ClassNameOuter.Deeper.Twin or "
                    + "ManagedObjectsTests.ClassNameOuter.Twin"))
    }

    @Test(arguments: ["Ghost", "ClassNameStranger", "Nowhere.ClassNameTopLevel"])
    func a_name_of_no_managed_class_makes_plain_objects(_ name: String) throws {
        let stack = try Stack(Self.model(name))
        let thing = stack.context.make("Thing", ["name": "a"])
        #expect(type(of: thing) == NSManagedObject.self)
        #expect(thing.entity.managedObjectClassName == name)
    }

    @Test func a_name_of_no_class_is_told() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            _ = NSPersistentContainer(name: "", managedObjectModel: ClassNameTests.model("Ghost"))
        }
        #expect(message(result).contains("entity Thing names the class Ghost, but the program has"))
        #expect(message(result).contains("NSStringFromClass"))
    }

    @Test func a_stored_model_may_name_classes_that_are_not_there() throws {
        let stack = try Stack(Self.model("ClassNameTopLevel"))
        stack.context.make("Thing", ["name": "a"])
        try stack.context.save()
        let coordinator = stack.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let model = try NSManagedObjectModel.stored(at: stack.url)
        #expect(model.entities.map(\.managedObjectClassName) == ["ClassNameTopLevel"])
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let container = NSPersistentContainer(name: "Copy", managedObjectModel: copy)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: stack.url)]
        #expect(load(container) == nil)
        let found = try container.viewContext.all("Thing")
        #expect(found.map { $0.text("name") } == ["a"])
    }
}
