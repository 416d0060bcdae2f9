// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

private struct Spot: Codable, Equatable {
    var x: Double
    var name: String
}

private struct Area: Codable, Equatable {
    enum Kind: String, Codable { case garden, house }

    var corner: Spot
    var kind: Kind
    var tags: [String: Int]
    var page: URL
    var id: UUID
    var size: Decimal
    var inner: [Area]
    var perhaps: Spot?
}

/// Not private: Foundation archives classes by names that other files can say.
final class Shade: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let depth: Double

    init(_ depth: Double) { self.depth = depth }

    init?(coder: NSCoder) { depth = coder.decodeDouble(forKey: "depth") }

    func encode(with coder: NSCoder) { coder.encode(depth, forKey: "depth") }

    override func isEqual(_ object: Any?) -> Bool { (object as? Shade)?.depth == depth }
    override var hash: Int { depth.hashValue }
}

private final class ShadeTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] {
        super.allowedTopLevelClasses + [Shade.self]
    }
}

private final class Possession: NSManagedObject {
    @Managed var words: [String]
    @Managed("words") var perhaps: [String]?
    @Managed var numbers: [Double]?
    @Managed var kinds: Set<String>
    @Managed var table: [String: Int]
    @Managed("mixed") var list: NSArray
    @Managed("mixed") var any: Shade?
    @Managed var spot: Spot
    @Managed("spot") var someSpot: Spot?
    @Managed("mixed") var thing: NSObject?
    @Managed var area: Area
    @Managed var shade: Shade?
    @Managed var count: NSNumber
    @Managed var price: NSDecimalNumber
}

/// Values of transformable attributes, and numbers as objects.
@Suite struct TransformableTypeTests {
    private static let model: NSManagedObjectModel = {
        ValueTransformer.setValueTransformer(
            CodableValueTransformer<Spot>(), forName: NSValueTransformerName("Spot"))
        ValueTransformer.setValueTransformer(
            CodableValueTransformer<Area>(), forName: NSValueTransformerName("Area"))
        ValueTransformer.setValueTransformer(
            ShadeTransformer(), forName: NSValueTransformerName("Shade"))
        let secure = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        let names: KeyValuePairs = [
            "words": secure, "numbers": secure, "kinds": secure, "table": secure,
            "mixed": secure, "spot": "Spot", "shade": "Shade", "area": "Area",
        ]
        let attributes = names.map { name, transformer in
            let attribute = NSAttributeDescription(name: name, type: .transformable)
            attribute.valueTransformerName = transformer
            return attribute
        }
        let thing = NSEntityDescription(
            name: "Possession", managedObjectClass: Possession.self,
            properties: attributes + [
                NSAttributeDescription(name: "count", type: .integer32),
                NSAttributeDescription(name: "price", type: .decimal),
            ])
        return NSManagedObjectModel(entities: [thing])
    }()

    private static func makeContainer() throws -> NSPersistentContainer {
        try .inMemory("Things", model)
    }

    /// The only object, as another context reads it from the store.
    private func stored(_ container: NSPersistentContainer) throws -> Possession {
        try container.viewContext.save()
        let context = container.newBackgroundContext()
        let thing = try #require(
            context.fetch(NSFetchRequest<Possession>(entityName: "Possession")).first)
        keptContexts.append(context)
        return thing
    }

    private final class Kept { var contexts: [NSManagedObjectContext] = [] }
    private let kept = Kept()
    private var keptContexts: [NSManagedObjectContext] {
        get { kept.contexts }
        nonmutating set { kept.contexts = newValue }
    }

    @Test func without_a_value_collections_are_empty_and_numbers_zero() throws {
        let thing = Possession(context: try Self.makeContainer().viewContext)
        _ = kept
        #expect(thing.words == [] && thing.perhaps == nil && thing.numbers == nil)
        #expect(thing.kinds == [] && thing.table == [:] && thing.list == NSArray())
        #expect(thing.count == 0 && thing.price == NSDecimalNumber.zero)
    }

    @Test func a_change_in_place_is_saved() throws {
        let container = try Self.makeContainer()
        let thing = Possession(context: container.viewContext)
        thing.words = ["a"]
        thing.words.append("b")
        thing.numbers = [0.5]
        #expect(try stored(container).words == ["a", "b"])
        #expect(!thing.hasChanges)
        thing.words[0] = "c"
        thing.numbers?.append(2)
        thing.kinds.insert("k")
        thing.table["t", default: 3] += 1
        #expect(thing.hasChanges)
        #expect(
            thing.changedValues().keys.sorted() == ["kinds", "numbers", "table", "words"])
        let read = try stored(container)
        #expect(read.words == ["c", "b"] && read.numbers == [0.5, 2])
        #expect(read.kinds == ["k"] && read.table == ["t": 4])
        #expect(read.perhaps == ["c", "b"])
    }

    @Test func the_built_in_transformer_takes_all_plain_values() throws {
        let container = try Self.makeContainer()
        let thing = Possession(context: container.viewContext)
        let (date, uuid) = (Date(timeIntervalSinceReferenceDate: 0.125), UUID())
        thing.list = [
            "t", 1, 2.5, true, date, Data([1]), uuid, URL(string: "http://a.example")! as NSURL,
            ["k": ["$class": "x"]], NSNull(), NSDecimalNumber(string: "1.25"),
        ]
        let read = try stored(container).list
        #expect(read.count == 11)
        #expect(read[0] as? String == "t" && read[1] as? Int == 1 && read[2] as? Double == 2.5)
        #expect(read[3] as? Bool == true && read[4] as? Date == date)
        #expect(read[5] as? Data == Data([1]) && read[6] as? UUID == uuid)
        #expect(read[7] as? URL == URL(string: "http://a.example"))
        #expect(read[8] as? [String: [String: String]] == ["k": ["$class": "x"]])
        #expect(read[9] is NSNull)
        #expect(read[10] as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
    }

    @Test func codable_values_are_stored() throws {
        let container = try Self.makeContainer()
        let thing = Possession(context: container.viewContext)
        thing.spot = Spot(x: 1, name: "a")
        thing.spot.x += 1
        #expect(try stored(container).spot == Spot(x: 2, name: "a"))
        thing.someSpot?.name = "b"
        #expect(try stored(container).someSpot == Spot(x: 2, name: "b"))
        thing.someSpot = nil
        #expect(try stored(container).someSpot == nil)
    }

    @Test func classes_that_a_subclass_allows_are_stored() throws {
        let container = try Self.makeContainer()
        let thing = Possession(context: container.viewContext)
        thing.shade = Shade(0.5)
        #expect(try stored(container).shade?.depth == 0.5)
    }

    @Test func other_classes_are_refused() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let thing = Possession(context: try Self.makeContainer().viewContext)
            thing.any = Shade(0.5)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Possession.mixed cannot hold"))
        #expect(text.contains("its transformer NSSecureUnarchiveFromData makes no Data of it"))
    }

    @Test func a_codable_value_that_is_missing_traps() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = Possession(context: try Self.makeContainer().viewContext).spot
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Possession.spot"))
        #expect(text.contains("has no value; declare the property optional"))
    }

    @Test func numbers_are_objects() throws {
        let container = try Self.makeContainer()
        let thing = Possession(context: container.viewContext)
        thing.count = 7
        thing.price = NSDecimalNumber(string: "12.50")
        let read = try stored(container)
        #expect(read.count == 7 && read.price == NSDecimalNumber(string: "12.5"))
    }

    @Test func key_paths_have_names() {
        #expect((\Possession.words).managedName == "words")
        #expect((\Possession.someSpot).managedName == "spot")
        #expect((\Possession.count).managedName == "count")
        #expect((\Possession.table).managedName == "table")
        #expect((\Possession.thing).managedName == "mixed")
        #expect((\Possession.spot).managedName == "spot")
        #expect((\Possession.area).managedName == "area")
    }

    /// Parts of a value are not in the model.
    @Test func parts_of_values_have_no_names() {
        let parts: [PartialKeyPath<Possession>] = [
            \.spot.x, \.spot.name, \.area.corner, \.area.corner.x, \.area.kind, \.area.tags,
            \.area.inner, \.area.perhaps, \.area.page,
        ]
        for path in parts {
            #expect(throws: CocoaError.self, "\(path)") { try path.requireManagedName() }
        }
    }

    /// What archives and JSON have in an order of chance is asked of objects.
    @Test(arguments: [NSPersistentStore.StoreType.sqlite, .inMemory])
    func values_of_the_programs_own_are_found(_ type: NSPersistentStore.StoreType) throws {
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("TransformableTypeTests-\(UUID().uuidString)")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        _ = try coordinator.addPersistentStore(type: type, at: place)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        for number in 1...3 {
            let thing = Possession(context: context)
            thing.count = NSNumber(value: number)
            thing.shade = Shade(Double(number))
            thing.spot = Spot(x: Double(number), name: "s")
            thing.table = ["a": number, "b": 2, "c": 3]
            thing.numbers = [Double(number), 0.5]
            thing.kinds = ["k", "l", "\(number)"]
        }
        for _ in 0..<2 {
            func counts(_ format: String, _ arguments: Any?...) throws -> [Int] {
                let request = NSFetchRequest<Possession>(entityName: "Possession")
                let predicate = NSPredicate(format: format, argumentArray: arguments)
                request.predicate = predicate
                request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
                let found = try context.fetch(request)
                request.predicate = nil
                let held = try context.fetch(request).filter { predicate.evaluate(with: $0) }
                #expect(found == held, "\(format)")
                return found.map(\.count.intValue)
            }
            #expect(try counts("shade == %@", Shade(2)) == [2])
            #expect(try counts("shade != %@", Shade(2)) == [1, 3])
            #expect(try counts("shade IN %@", [Shade(3), Shade(2)]) == [2, 3])
            #expect(try counts("shade == %@ AND count > 2", Shade(2)) == [])
            #expect(try counts("spot == %@", Spot(x: 1, name: "s")) == [1])
            #expect(try counts("NOT spot == %@ OR count == 1", Spot(x: 1, name: "s")) == [1, 2, 3])
            #expect(try counts("table == %@", ["a": 3, "b": 2, "c": 3]) == [3])
            #expect(try counts("numbers == %@", [1, 0.5]) == [1])
            #expect(try counts("numbers == %@", [0.5, 1]) == [1])
            #expect(try counts("kinds == %@", Set(["3", "l", "k"])) == [3])
            try context.save()
        }
    }

    /// As Xcode generates it for an attribute without a class of its own.
    @Test func an_object_of_any_class_is_a_value() throws {
        let container = try Self.makeContainer()
        let thing = Possession(context: container.viewContext)
        #expect(thing.thing == nil)
        thing.thing = ["a", 1] as NSArray
        #expect(try stored(container).thing == ["a", 1] as NSArray)
        thing.thing = "text" as NSString
        #expect(try stored(container).thing == "text" as NSString)
        thing.thing = nil
        #expect(try stored(container).thing == nil)
    }
}
