// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A film as the server describes it.
public struct FilmRecord: Decodable, Equatable, Sendable {
    /// The number of the episode.
    public let episode: Int16
    /// The title.
    public let title: String
    /// Who directed it.
    public let director: String
    /// Who produced it.
    public let producer: String
    /// The text that opens it.
    public let openingCrawl: String
    /// When it came out.
    public let releaseDate: Date

    enum CodingKeys: String, CodingKey {
        case episode = "episode_id"
        case title, director, producer
        case openingCrawl = "opening_crawl"
        case releaseDate = "release_date"
    }

    /// How the server writes dates, as in `1977-05-25`.
    static let dates = Date.ISO8601FormatStyle().year().month().day()
}

extension FilmRecord {
    /// The films of an answer, the last one where an episode is there twice.
    ///
    /// - Parameter data: JSON such as `{"results": [{"episode_id": 4, …}, …]}`.
    static func decode(_ data: Data) throws -> [FilmRecord] {
        struct Answer: Decodable { let results: [FilmRecord] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try Date(decoder.singleValueContainer().decode(String.self), strategy: dates)
        }
        let all = try decoder.decode(Answer.self, from: data).results
        return Dictionary(all.map { ($0.episode, $0) }, uniquingKeysWith: { $1 }).values
            .sorted { $0.episode < $1.episode }
    }
}
