// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about game objects and the importer.
enum ComponentSamples {
    static func model(_ stat: NSEntityDescription) -> NSManagedObjectModel {
        // SAMPLE: GameObject+Entities.swift
        let model = NSManagedObjectModel(entities: [stat] + GameObject.makeEntities())
        // SAMPLE: end
        return model
    }

    static func gameObject(_ moc: NSManagedObjectContext, _ stat: Stat) throws -> GameObject {
        // SAMPLE: GameObject.swift
        let hero = GameObject.create(name: "Hero", moc: moc)
        try hero.addComponent(with: stat, moc: moc)
        try moc.save()
        let same = try GameObject.fetch(name: "Hero", moc: moc)
        print(try same?.getData(ofType: Stat.self).count ?? 0)
        // SAMPLE: end
        return hero
    }

    static func component(_ hero: GameObject) throws {
        // SAMPLE: Component.swift
        for component in try hero.getComponents(ofType: Stat.self) {
            let stat: Stat? = try component.fetchData()
            print(stat?.value ?? 0)
        }
        // SAMPLE: end
    }

    static func data(_ hero: GameObject) throws -> Stat? {
        // SAMPLE: GameObject+Components.swift
        let stat: Stat? = try hero.getData()
        // SAMPLE: end
        return stat
    }

    static func someStats(_ hero: GameObject, _ moc: NSManagedObjectContext) throws {
        // SAMPLE: GameObject+Components.swift
        let stats = (1...3).map { _ in Stat(context: moc) }
        try hero.addComponents(with: stats, moc: moc)
        // SAMPLE: end
    }

    static func all(_ moc: NSManagedObjectContext) throws {
        // SAMPLE: GameObject+Components.swift
        for object in try GameObject.fetchAll(withComponentOfType: Stat.self, moc: moc) {
            print(object.name ?? "", try object.getData(ofType: Stat.self).map(\.value))
        }
        // SAMPLE: end
    }

    static func importFiles(into storeURL: URL) throws {
        // SAMPLE: LibraryImporter.swift
        let importer = try LibraryImporter(path: "chinook/", into: storeURL)
        print(importer.model)
        print(try importer.load())
        // SAMPLE: end
    }

    static func importOptions(into storeURL: URL) throws {
        // SAMPLE: ImportOptions.swift
        var options = ImportOptions()
        options.mapping = try ImportMapping.parse(#"{"entities": {"Log": {"ignore": true}}}"#)
        options.isStrict = true  // the first rejected row stops the import
        let importer = try LibraryImporter(path: "chinook/", into: storeURL, options: options)
        // SAMPLE: end

        // SAMPLE: ImportReport.swift
        let report = try importer.load()
        for entity in report.entities { print(entity.name, entity.inserted, entity.rejected) }
        for row in report.rejections { print(row.file, row.line, row.reason) }
        // SAMPLE: end
    }

    static func article() throws {
        // SAMPLE: ImportingLibraries.md
        let store = URL(fileURLWithPath: "chinook.lode")
        let importer = try LibraryImporter(path: "chinook", into: store)
        print(importer.model)
        let report = try importer.load()
        print(report)
        // SAMPLE: end
    }

    static func mapping(_ url: URL) throws {
        // SAMPLE: ImportingLibraries.md
        var tracks = EntityMapping()
        var composer = AttributeMapping()
        composer.name = "composedBy"
        composer.isIndexed = true
        tracks.attributes["Composer"] = composer

        var links = EntityMapping()
        links.links = .ends(
            LinkEndMapping(column: "PlaylistId", destination: "Playlist", property: "tracks"),
            LinkEndMapping(column: "TrackId", destination: "Track", property: "playlists"))

        var options = ImportOptions()
        options.mapping = ImportMapping(entities: ["Track": tracks, "PlaylistTrack": links])
        options.isStrict = true  // stop at the first rejected row
        options.batchSize = 50_000  // rows at a time
        let importer = try LibraryImporter(path: "chinook", into: url, options: options)
        let report = try importer.load()
        for entity in report.entities {
            print(entity.name, entity.read, entity.inserted, entity.updated, entity.rejected)
        }
        for row in report.rejections {
            print(row.file, row.line, row.reason)
        }
        // SAMPLE: end
    }
}
