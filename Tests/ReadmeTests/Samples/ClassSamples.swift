// SPDX-License-Identifier: Apache-2.0

import CoreData

// Samples that declare classes. Each has a name of its own around it, as several are called alike.

final class Tag: NSManagedObject {
    @Managed var items: Set<MacroSample.Item>
}

enum MacroSample {
    final class Person: NSManagedObject {}

    // SAMPLE: Macros.swift
    final class Item: NSManagedObject {
        @Managed var name: String
        @Managed var owner: Person?
        @Managed var tags: Set<Tag>
    }
    // SAMPLE: end
}

enum RenamedSample {
    // SAMPLE: Macros.swift
    final class Item: NSManagedObject {
        @Managed("description") var text: String
    }
    // SAMPLE: end
}

enum AccessorSample {
    // SAMPLE: KeyValueAccessor.swift
    final class Person: NSManagedObject {
        @Managed var first: String
        @Managed var last: String
        var fullName: String { "\(first) \(last)" }

        override class var keyValueAccessors: [KeyValueAccessor] {
            super.keyValueAccessors + [KeyValueAccessor("fullName", \Person.fullName)]
        }
    }
    // SAMPLE: end
}

enum ValidatorSample {
    // SAMPLE: PropertyValidator.swift
    final class Person: NSManagedObject {
        @Managed var age: Int32

        func validateAge(_ value: inout Any?) throws {
            if let age = value as? Int, age > 150 { value = 150 }
        }

        override class var propertyValidators: [PropertyValidator] {
            super.propertyValidators + [PropertyValidator("age", Person.validateAge)]
        }
    }
    // SAMPLE: end
}

enum NamedMethodsSample {
    // SAMPLE: Compatibility.md
    final class Person: NSManagedObject {
        @Managed var first: String
        @Managed var age: Int32
        var greeting: String { "Hello \(first)" }

        func validateAge(_ value: inout Any?) throws {
            if let age = value as? Int, age < 0 { throw CocoaError(.validationNumberTooSmall) }
        }

        override class var keyValueAccessors: [KeyValueAccessor] {
            super.keyValueAccessors + [KeyValueAccessor("greeting", \Person.greeting)]
        }

        override class var propertyValidators: [PropertyValidator] {
            super.propertyValidators + [PropertyValidator("age", Person.validateAge)]
        }
    }
    // SAMPLE: end
}

final class PrimitivesSample: NSManagedObject {
    // SAMPLE: NSManagedObject+Primitives.swift
    var title: String? {
        get {
            willAccessValue(forKey: "title")
            defer { didAccessValue(forKey: "title") }
            return primitiveValue(forKey: "title") as? String
        }
        set {
            willChangeValue(forKey: "title")
            setPrimitiveValue(newValue?.uppercased(), forKey: "title")
            didChangeValue(forKey: "title")
        }
    }
    // SAMPLE: end
}

func registerTransformer() {
    // SAMPLE: ValueTransformer.swift
    final class WordsTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? {
            (value as? [String]).map { Data($0.joined(separator: " ").utf8) }
        }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            (value as? Data).map { data in
                String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init)
            }
        }
    }
    ValueTransformer.setValueTransformer(
        WordsTransformer(), forName: NSValueTransformerName("WordsTransformer"))
    words.valueTransformerName = "WordsTransformer"
    // SAMPLE: end
}

private let words = NSAttributeDescription(name: "words", type: .transformable)

func registerStore(_ coordinator: NSPersistentStoreCoordinator, _ file: URL) throws {
    // SAMPLE: Stores.md
    final class TextStore: NSAtomicStore, @unchecked Sendable {
        override var type: String { "Text" }

        override func load() throws {
            guard let url, let text = try? String(contentsOf: url, encoding: .utf8),
                let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Line"]
            else { return }
            for (number, line) in text.split(separator: "\n").enumerated() {
                let id = objectID(for: entity, withReferenceObject: number)
                let node = NSAtomicStoreCacheNode(objectID: id)
                node.setValue(String(line), forKey: "text")
                addCacheNodes([node])
            }
        }

        override func save() throws {
            let lines = cacheNodes().compactMap { $0.value(forKey: "text") as? String }
            try lines.joined(separator: "\n").write(to: url!, atomically: true, encoding: .utf8)
        }
    }

    NSPersistentStoreCoordinator.registerStoreClass(TextStore.self, forStoreType: "Text")
    try coordinator.addPersistentStore(
        ofType: "Text", configurationName: nil, at: file)
    // SAMPLE: end
}
