// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

private let awakeningNumber = PropertyKey("number")

/// A class of any parameter, which counts how often its objects fire.
class AwakeningOf<Parameter>: NSManagedObject {
    final var parameters: [Parameter] = []
    final var awakenings = 0
    final var number: Int64 { Int64.__lode_read(self, awakeningNumber) }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        awakenings += 1
    }
}

/// A class of any parameter that does nothing as its objects fire.
class SleepingOf<Parameter>: NSManagedObject {
    final var parameters: [Parameter] = []
    final var awakenings = 0
    final var number: Int64 { Int64.__lode_read(self, awakeningNumber) }
}

/// Inherits the hook of a class of a parameter.
final class AwakeningHeir: AwakeningOf<String> {}

/// Has a hook below a class of a parameter that has none.
final class AwakeningOnTop: SleepingOf<[Int]> {
    override func awakeFromFetch() {
        super.awakeFromFetch()
        awakenings += 1
    }
}

/// Has none, and neither has the class above.
final class SleepingHeir: SleepingOf<Int8> {}

enum AwakeningSpace {
    enum Inner {}
}

extension AwakeningSpace.Inner {
    /// Nested in a type by an extension.
    class Nested: NSManagedObject {
        final var awakenings = 0
        final var number: Int64 { Int64.__lode_read(self, awakeningNumber) }

        override func awakeFromFetch() {
            super.awakeFromFetch()
            awakenings += 1
        }
    }

    /// Nested there too, two classes below the hook.
    final class Lower: Middle {}
    class Middle: Nested {}

    /// Does nothing.
    final class Asleep: SleepingOf<Nested> {}
}

extension AwakeningOf {
    /// Nested in a class with a parameter, by an extension.
    final class Part: AwakeningOf<(Parameter, Int)> {}
    final class Quiet: SleepingOf<Parameter> {}
}

/// Where a class may have its hook, or inherit it from.
@Suite(.inBothPlaces) struct AwakeningPlaceTests {
    private static let waking: [NSManagedObject.Type] = [
        AwakeningOf<Int>.self, AwakeningOf<String>.self, AwakeningHeir.self, AwakeningOnTop.self,
        AwakeningSpace.Inner.Nested.self, AwakeningSpace.Inner.Lower.self,
        AwakeningSpace.Inner.Middle.self, AwakeningOf<Bool>.Part.self,
    ]
    private static let sleeping: [NSManagedObject.Type] = [
        SleepingOf<Int>.self, SleepingOf<String>.self, SleepingHeir.self,
        AwakeningSpace.Inner.Asleep.self, AwakeningOf<Bool>.Quiet.self,
    ]

    @Test func eachHookIsKnown() {
        #expect(Self.waking.allSatisfy(OverrideProbe.overridesAwakeFromFetch))
        #expect(!Self.sleeping.contains(where: OverrideProbe.overridesAwakeFromFetch))
    }

    /// Reads objects of an entity of a class by an accessor, and counts the calls of its hook.
    private func expect<Object: NSManagedObject>(
        _ type: Object.Type, calls: Int, _ number: (Object) -> Int64, _ awakenings: (Object) -> Int
    ) throws {
        let stack = try Stack(
            NSManagedObjectModel(entities: [
                NSEntityDescription(
                    name: "Thing", managedObjectClass: type,
                    properties: [NSAttributeDescription(name: "number", type: .integer64)])
            ]))
        for number in 1...40 { stack.context.make("Thing", ["number": number]) }
        try stack.context.save()
        let reader = stack.container.newBackgroundContext()
        try reader.performAndWait {
            let objects = try reader.all("Thing").map { try #require($0 as? Object) }
            for round in 1...3 {
                #expect(objects.allSatisfy { $0.isFault })
                #expect(objects.map(number) == Array(1...40))
                #expect(objects.map(awakenings) == Array(repeating: round * calls, count: 40))
                #expect(objects.map(number) == Array(1...40))
                #expect(objects.map(awakenings) == Array(repeating: round * calls, count: 40))
                reader.refreshAllObjects()
            }
        }
    }

    @Test func classesWithParametersAreCalled() throws {
        try expect(AwakeningOf<Int>.self, calls: 1, \.number, \.awakenings)
        try expect(AwakeningOf<String>.self, calls: 1, \.number, \.awakenings)
        try expect(SleepingOf<Int>.self, calls: 0, \.number, \.awakenings)
        try expect(AwakeningHeir.self, calls: 1, \.number, \.awakenings)
        try expect(AwakeningOnTop.self, calls: 1, \.number, \.awakenings)
        try expect(SleepingHeir.self, calls: 0, \.number, \.awakenings)
    }

    @Test func nestedClassesAreCalled() throws {
        try expect(AwakeningSpace.Inner.Nested.self, calls: 1, \.number, \.awakenings)
        try expect(AwakeningSpace.Inner.Lower.self, calls: 1, \.number, \.awakenings)
        try expect(AwakeningSpace.Inner.Asleep.self, calls: 0, \.number, \.awakenings)
        try expect(AwakeningOf<Bool>.Part.self, calls: 1, \.number, \.awakenings)
        try expect(AwakeningOf<Bool>.Quiet.self, calls: 0, \.number, \.awakenings)
    }

    /// The objects of an entity and of one below it, of which only the lower class has the hook,
    /// come from one fetch.
    @Test func subentitiesAreCalledByTheirOwnClass() throws {
        let upper = NSEntityDescription(
            name: "Upper", managedObjectClass: SleepingOf<[Int]>.self,
            properties: [NSAttributeDescription(name: "number", type: .integer64)])
        let lower = NSEntityDescription(
            name: "Lower", managedObjectClass: AwakeningOnTop.self, properties: [])
        upper.subentities = [lower]
        let stack = try Stack(NSManagedObjectModel(entities: [upper, lower]))
        for number in 1...40 {
            stack.context.make(number % 2 == 0 ? "Lower" : "Upper", ["number": number])
        }
        try stack.context.save()
        let reader = stack.container.newBackgroundContext()
        try reader.performAndWait {
            let request = NSFetchRequest<SleepingOf<[Int]>>(entityName: "Upper")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            let objects = try reader.fetch(request)
            #expect(objects.map(\.number) == Array(1...40))
            #expect(objects.map(\.awakenings) == (1...40).map { 1 - $0 % 2 })
        }
    }
}
