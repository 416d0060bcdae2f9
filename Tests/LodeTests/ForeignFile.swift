// SPDX-License-Identifier: Apache-2.0

import Lode

/// A file with everything that Lode writes, and a reader that looks at all of it.
enum ForeignFile {
    /// Opens a file with the program's own model.
    static func open(
        _ url: URL, verify: String?, isReadOnly: Bool = false
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(
            name: "Foreign", managedObjectModel: ForeignModel.make())
        let description = NSPersistentStoreDescription(url: url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.isReadOnly = isReadOnly
        if let verify { description.setOption(verify as NSString, forKey: LodeVerifyOption) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    // MARK: Writing

    /// Makes a healthy file: few pages, but trees of two levels and of one key's values, values
    /// outside their records, free pages, a history and components.
    static func make(at url: URL) throws {
        let container = try open(url, verify: nil)
        let context = container.viewContext
        context.transactionAuthor = "tests"
        for store in container.persistentStoreCoordinator.persistentStores {
            container.persistentStoreCoordinator.setMetadata(
                ["list": [1, 2.5, "text", Data([1])], "day": Date()], for: store)
        }
        let holders = (0..<3).map { number in
            let holder = Holder(context: context)
            holder.name = "holder \(number)"
            return holder
        }
        let tags = (0..<4).map { number in
            let tag = Tag(context: context)
            tag.name = "tag \(number)"
            return tag
        }
        var things: [Thing] = []
        for number in 0..<320 {
            let thing = makeThing(number, context)
            thing.holder = holders[number % 8 == 0 ? 1 : 0]
            thing.tags = number % 3 == 0 ? [tags[0], tags[number % 4]] : []
            thing.next = things.last
            things.append(thing)
        }
        holders[0].shown = Array(things[..<300])
        holders[1].shown = Array(things[10..<15].reversed())
        try context.save()
        for number in stride(from: 0, to: 60, by: 4) {
            let object = GameObject.create(name: "object \(number)", moc: context)
            try object.addComponent(with: things[number], moc: context)
            try object.addComponent(with: tags[number % 4], moc: context)
        }
        things[3].setValue(things[5].objectID, forKey: "link")
        try context.save()
        for number in stride(from: 100, to: 180, by: 3) { context.delete(things[number]) }
        for number in 200..<220 { things[number].medium += 1 }
        try context.save()
        try context.execute(
            NSPersistentHistoryChangeRequest.deleteHistory(
                before: Date(timeIntervalSince1970: 0)))
    }

    private static func makeThing(
        _ number: Int, _ context: NSManagedObjectContext
    ) -> Thing {
        let thing: Thing
        if number % 10 == 9 {
            let special = SpecialThing(context: context)
            special.extra = "extra \(number)"
            thing = special
        } else {
            thing = Thing(context: context)
        }
        let isLong = number % 40 == 0
        thing.name = String(repeating: "n\(number % 50)", count: isLong ? 1_000 : 1)
        (thing.short, thing.medium) = (Int16(number), Int32(number % 20))
        (thing.long, thing.real) = (Int64(number) << 33, Double(number) / 3)
        (thing.single, thing.flag) = (Float(number), number % 2 == 0)
        thing.price = Decimal(number) / 8
        thing.day = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
        thing.id = UUID()
        thing.site = URL(string: "https://example.org/\(number)")
        thing.note = Data([UInt8(number % 250)])
        if isLong {
            thing.picture = Data(repeating: 7, count: number == 80 ? 70_000 : 3)
            thing.setValue(Data([1, 2, 3]), forKey: "secret")
        }
        return thing
    }
}
