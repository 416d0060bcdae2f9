// SPDX-License-Identifier: Apache-2.0

/// Films of this test's own, as the server describes them.
struct FilmFixture: Sendable {
    var episode: Int
    var title: String
    var director = "A. Director"
    var crawl = "Once there was a film\r\nthat nobody had seen."
    var date = "1977-05-25"

    static let first = FilmFixture(episode: 4, title: "A Test of Hope")
    static let second = FilmFixture(episode: 5, title: "The Test Strikes Back", date: "1980-05-17")
    static let third = FilmFixture(episode: 1, title: "The Phantom Test", date: "1999-05-19")

    private var json: String {
        """
        {"title": "\(title)", "episode_id": \(episode), "director": "\(director)",
         "producer": "P. Roducer", "release_date": "\(date)", "characters": ["1", "2"],
         "opening_crawl": "\(crawl.replacing("\r\n", with: "\\r\\n"))", "unknown": null}
        """
    }

    /// The answer that lists films.
    static func answer(_ films: FilmFixture...) -> String {
        let list = films.map(\.json).joined(separator: ",\n")
        return "{\"count\": \(films.count), \"next\": null, \"results\": [\(list)]}"
    }
}
