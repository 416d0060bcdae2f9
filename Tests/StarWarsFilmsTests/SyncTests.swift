// SPDX-License-Identifier: Apache-2.0

import CoreData
import Films
import Testing

/// The list follows the server through a store, live.
@Suite(.timeLimit(.minutes(30))) struct SyncTests {
    private static let titles = ["The Phantom Test", "A Test of Hope", "The Test Strikes Back"]
    private static let all = """
        1  The Phantom Test (A. Director, 1999)
        4  A Test of Hope (A. Director, 1977)
        5  The Test Strikes Back (A. Director, 1980)
        """

    @Test func films_appear_in_the_order_of_their_episodes() async throws {
        try await Cinema.open(isEmpty: true) { cinema in
            cinema.server.set(.body(FilmFixture.answer(.second, .first)))
            try await cinema.sync(writes: 2)
            #expect(
                await cinema.written() == [
                    """
                    + 0 A Test of Hope
                    + 1 The Test Strikes Back
                    4  A Test of Hope (A. Director, 1977)
                    5  The Test Strikes Back (A. Director, 1980)
                    """
                ])
            cinema.server.set(.body(FilmFixture.answer(.second, .third, .first)))
            try await cinema.sync(writes: 1)
            #expect(await cinema.written() == ["+ 0 The Phantom Test\n" + Self.all])
        }
    }

    @Test func the_same_films_again_are_no_news() async throws {
        try await Cinema.open { cinema in
            try await cinema.sync(writes: 0)
            try await cinema.sync(writes: 0)
            #expect(cinema.server.requestCount == 3)
            #expect(await cinema.written() == [])
            try await cinema.expect(stored: Self.titles)
        }
    }

    @Test func only_a_changed_film_is_told() async throws {
        try await Cinema.open { cinema in
            var changed = FilmFixture.first
            changed.director = "E. Ditor"
            cinema.server.set(.body(FilmFixture.answer(changed, .second, .third)))
            try await cinema.sync(writes: 1)
            #expect(
                await cinema.written() == [
                    """
                    - 1
                    1  The Phantom Test (A. Director, 1999)
                    5  The Test Strikes Back (A. Director, 1980)
                    """,
                    """
                    + 1 A Test of Hope
                    1  The Phantom Test (A. Director, 1999)
                    4  A Test of Hope (E. Ditor, 1977)
                    5  The Test Strikes Back (A. Director, 1980)
                    """,
                ])
            try await cinema.expect(stored: Self.titles)
        }
    }

    @Test func a_film_that_changes_its_crawl_only_is_another_one() async throws {
        try await Cinema.open { cinema in
            var changed = FilmFixture.second
            changed.crawl = "The second cut.\r\nLonger."
            cinema.server.set(.body(FilmFixture.answer(changed)))
            try await cinema.sync(writes: 1)
            #expect(await cinema.written().last == "+ 2 The Test Strikes Back\n" + Self.all)
            let context = cinema.stack.container.newBackgroundContext()
            let crawl = try await context.perform {
                let request = NSFetchRequest<Film>(entityName: "Film")
                request.predicate = NSPredicate(format: "episode == 5")
                return try context.fetch(request).first?.openingCrawl
            }
            #expect(crawl == "The second cut.\r\nLonger.")
        }
    }

    @Test func two_syncs_at_once_leave_no_duplicates() async throws {
        try await Cinema.open(isEmpty: true) { cinema in
            cinema.server.set(.body(FilmFixture.answer(.first, .second, .third)))
            async let one = cinema.provider.sync()
            async let other = cinema.provider.sync()
            _ = try await (one, other)
            #expect(await cinema.written().last?.hasSuffix(Self.all) == true)
            try await cinema.expect(stored: Self.titles)
        }
    }

    @Test func an_episode_listed_twice_is_one_film() async throws {
        try await Cinema.open(isEmpty: true) { cinema in
            var again = FilmFixture.first
            again.title = "A Test of Hope, restored"
            cinema.server.set(.body(FilmFixture.answer(.first, again)))
            try await cinema.sync(writes: 1)
            try await cinema.expect(stored: ["A Test of Hope, restored"])
        }
    }

    @Test func films_in_a_file_are_there_before_the_first_answer() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("SyncTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appendingPathComponent("films.lode")
        let server = try LoopbackServer()
        server.set(.body(FilmFixture.answer(.first)))
        let repository = ApiRepository(url: try server.url)
        try await DataProvider(stack: try CoreDataStack(url: url), repository: repository).sync()
        server.stop()
        let stack = try CoreDataStack(url: url)
        let list = FilmList(stack: stack) { #expect($0 == "4  A Test of Hope (A. Director, 1977)") }
        let text = try await stack.container.viewContext.perform {
            try list.start()
            defer { list.stop() }
            return list.text
        }
        #expect(text == "4  A Test of Hope (A. Director, 1977)")
    }
}
