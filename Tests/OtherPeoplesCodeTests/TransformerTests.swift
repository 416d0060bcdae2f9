// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// A colour in a transformable attribute.
final class Colour: NSObject {
    let red: UInt8

    init(red: UInt8) { self.red = red }
}

final class ColourTransformer: ValueTransformer {
    static let name = NSValueTransformerName(rawValue: String(describing: ColourTransformer.self))

    static func register() {
        ValueTransformer.setValueTransformer(ColourTransformer(), forName: name)
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let colour = value as? Colour else { return nil }
        return Data([colour.red])
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let red = data.first else { return nil }
        return Colour(red: red)
    }
}

/// Only shows its values.
final class OneWayTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { false }
}

final class Wall: NSManagedObject {
    var colour: Colour? {
        get { value(forKey: "colour") as? Colour }
        set { setValue(newValue, forKey: "colour") }
    }
}

@Suite struct TransformerTests {
    private func container(_ name: String) -> NSPersistentContainer {
        let attribute = NSAttributeDescription()
        attribute.name = "colour"
        attribute.attributeType = .transformableAttributeType
        attribute.valueTransformerName = name
        let wall = NSEntityDescription()
        wall.name = "Wall"
        wall.managedObjectClassName = NSStringFromClass(Wall.self)
        wall.properties = [attribute]
        let model = NSManagedObjectModel()
        model.entities = [wall]
        return .inMemory(model)
    }

    @Test func an_attribute_finds_its_transformer() throws {
        ColourTransformer.register()
        let container = container("ColourTransformer")
        Wall(context: container.viewContext).colour = Colour(red: 7)
        try container.viewContext.save()
        container.viewContext.reset()
        let walls = try container.viewContext.fetch(NSFetchRequest<Wall>(entityName: "Wall"))
        #expect(walls.map { $0.colour?.red } == [7])
    }

    @Test func transformers_are_found_by_name() throws {
        ColourTransformer.register()
        #expect(ValueTransformer(forName: ColourTransformer.name) is ColourTransformer)
        #expect(ColourTransformer(forName: ColourTransformer.name) != nil)
        #expect(OneWayTransformer(forName: ColourTransformer.name) == nil)
        #expect(ValueTransformer(forName: NSValueTransformerName("none")) == nil)
        #expect(ValueTransformer.valueTransformerNames().contains(ColourTransformer.name))
        let type: ValueTransformer.Type = ColourTransformer.self
        #expect(
            ObjectIdentifier(type.transformedValueClass()) == ObjectIdentifier(NSData.self))
        #expect(!OneWayTransformer.allowsReverseTransformation())
    }

    @Test func an_attribute_needs_the_way_back() async {
        await #expect(processExitsWith: .failure) {
            ValueTransformer.setValueTransformer(
                OneWayTransformer(), forName: NSValueTransformerName("oneWay"))
            let container = TransformerTests().container("oneWay")
            Wall(context: container.viewContext).setValue(Data([1]), forKey: "colour")
            exit(0)
        }
    }
}
