// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A film, known by its episode.
public final class Film: NSManagedObject {
    /// The number of the episode; no two films of a store have the same.
    @Managed public var episode: Int16
    /// The title.
    @Managed public var title: String
    /// Who directed it.
    @Managed public var director: String
    /// Who produced it.
    @Managed public var producer: String
    /// The text that opens it.
    @Managed public var openingCrawl: String
    /// When it came out.
    @Managed public var releaseDate: Date

    /// The model, made once and shared by all containers.
    static let model: NSManagedObjectModel = {
        let film = NSEntityDescription(
            name: "Film", managedObjectClass: Film.self,
            properties: [
                NSAttributeDescription(name: "episode", type: .integer16, isOptional: false),
                NSAttributeDescription(name: "title", type: .string, isOptional: false),
                NSAttributeDescription(name: "director", type: .string, isOptional: false),
                NSAttributeDescription(name: "producer", type: .string, isOptional: false),
                NSAttributeDescription(name: "openingCrawl", type: .string, isOptional: false),
                NSAttributeDescription(name: "releaseDate", type: .date, isOptional: false),
            ])
        film.uniquenessConstraints = [["episode"]]
        return NSManagedObjectModel(entities: [film])
    }()

    /// Takes the values that the server gave.
    func update(with record: FilmRecord) {
        episode = record.episode
        title = record.title
        director = record.director
        producer = record.producer
        openingCrawl = record.openingCrawl
        releaseDate = record.releaseDate
    }

    /// The values as the server would give them.
    var record: FilmRecord {
        FilmRecord(
            episode: episode, title: title, director: director, producer: producer,
            openingCrawl: openingCrawl, releaseDate: releaseDate)
    }
}
