// SPDX-License-Identifier: Apache-2.0

import CoreData
import Films
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that fails leaves the list as it is, and the next answer counts again.
@Suite(.timeLimit(.minutes(30))) struct FailureTests {
    private static let titles = ["The Phantom Test", "A Test of Hope", "The Test Strikes Back"]

    /// Syncs with an answer that is none, then with a good one.
    private func fails(
        _ answer: LoopbackServer.Answer, _ check: (any Error) -> Void
    ) async throws {
        try await Cinema.open { cinema in
            cinema.server.set(answer)
            do {
                try await cinema.provider.sync()
                Issue.record("the sync should have failed")
            } catch {
                check(error)
            }
            #expect(await cinema.written() == [])
            try await cinema.expect(stored: Self.titles)
            var changed = FilmFixture.second
            changed.title = "The Test Strikes Again"
            cinema.server.set(.body(FilmFixture.answer(changed)))
            try await cinema.sync(writes: 1)
            #expect(await cinema.written().last?.hasPrefix("+ 2 The Test Strikes Again\n") == true)
        }
    }

    @Test func a_connection_that_ends_in_the_middle() async throws {
        var changed = FilmFixture.first
        changed.title = "Never seen"
        try await fails(.half(FilmFixture.answer(changed, .second, .third))) {
            #expect($0 is URLError)
        }
    }

    @Test func a_connection_that_ends_at_once() async throws {
        try await fails(.silence) { #expect($0 is URLError) }
    }

    @Test(arguments: [
        "", "{", "[]", "{\"results\": null}", "{\"films\": []}",
        "{\"results\": [{\"title\": \"Without episode\"}]}",
        FilmFixture.answer(FilmFixture(episode: 4, title: "No date", date: "soon")),
        FilmFixture.answer(FilmFixture(episode: 99_999, title: "No such episode")),
        "{\"results\": [{\"episode_id\": \"four\", \"title\": 7}]}",
        String(FilmFixture.answer(.first, .second).dropLast(3)),
        "<html>down for maintenance</html>",
    ])
    func an_answer_that_is_no_list(body: String) async throws {
        try await fails(.body(body)) { error in
            guard case .format? = error as? ApiError else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(arguments: [404, 500, 503, 204])
    func a_status_that_is_no_success(status: Int) async throws {
        let body = status == 204 ? "" : FilmFixture.answer(.first)
        try await fails(.body(body, status: status)) {
            #expect($0 as? ApiError == .status(status))
        }
    }

    @Test func one_bad_film_among_good_ones_changes_nothing() async throws {
        var changed = FilmFixture.first
        changed.title = "Never seen"
        let good = FilmFixture.answer(changed, .third).dropLast(2)
        try await fails(.body(good + ", {\"episode_id\": 5}]}")) {
            #expect($0 is ApiError)
        }
    }

    @Test func a_server_that_is_gone() async throws {
        try await Cinema.open { cinema in
            cinema.server.stop()
            await #expect(throws: URLError.self) { try await cinema.provider.sync() }
            #expect(await cinema.written() == [])
            try await cinema.expect(stored: Self.titles)
        }
    }
}
