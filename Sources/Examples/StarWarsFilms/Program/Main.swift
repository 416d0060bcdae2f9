// SPDX-License-Identifier: Apache-2.0

import CoreData
import Films

/// `StarWarsFilms [address [file [seconds]]]`: shows the films and asks for them again and again.
@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let address = arguments.first ?? "https://swapi.dev/api/films/"
        guard let url = URL(string: address) else {
            return print("usage: StarWarsFilms [address [file [seconds]]]")
        }
        let file = arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
        let seconds = arguments.dropFirst(2).first.flatMap { Int($0) }

        let stack = try CoreDataStack(url: file)
        let view = stack.container.viewContext
        let list = FilmList(stack: stack) { print($0) }
        try await view.perform { try list.start() }

        let provider = DataProvider(stack: stack, repository: ApiRepository(url: url))
        while true {
            do {
                let count = try await provider.sync()
                // What waits to be merged is merged before the block.
                await view.perform(schedule: .enqueued) { print("\(count) films are new") }
            } catch {
                let reason = error is ApiError ? "\(error)" : error.localizedDescription
                print("the list stays as it is: \(reason)")
            }
            guard let seconds else { break }
            try await Task.sleep(for: .seconds(seconds))
        }
        await view.perform { list.stop() }
    }
}
