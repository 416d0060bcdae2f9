// SPDX-License-Identifier: Apache-2.0

import Lode

/// Parses predicates from anywhere, prints them, and fetches with them.
final class PredicateWork: BatchWork {
    private let seed: UInt64
    private let store: WorkStore
    private let entities = ["Item", "Owner", "Tag", "Ledger"]

    init(_ options: FaultArguments) throws {
        seed = options.seed
        let path = BatchChild.newStore("predicates", in: options.folder)
        store = try WorkStore(path, [LodeDurabilityOption: "none"])
        var state = WorkState()
        while state.step < 30 {
            try store.save(state, 1)
            state.advance(1)
        }
        // Unsaved changes, so that predicates are also evaluated in memory.
        try store.change(state, 1)
    }

    func run(_ step: Int) throws -> String {
        var writer = PredicateWriter(FaultRandom(seed, "predicates", step))
        let text = writer.text()
        do { return try run(text, writer.arguments, step) } catch let violation as Violation {
            throw Violation("\(text.debugDescription) with \(writer.arguments): \(violation)")
        }
    }

    private func run(_ text: String, _ arguments: [Any?], _ step: Int) throws -> String {
        let predicate: NSPredicate
        do { predicate = try NSPredicate.parse(text, arguments: arguments) } catch {
            return "refused"
        }
        let printed = predicate.description
        if arguments.isEmpty {
            do {
                let again = try NSPredicate.parse(printed).description
                guard again == printed else {
                    throw Violation("\(printed) is printed as \(again) the next time")
                }
            } catch let error where !(error is Violation) {
                throw Violation("\(printed) cannot be read: \(error)")
            }
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: entities[step % entities.count])
        request.predicate = predicate
        return store.context.performAndWait {
            do {
                _ = try store.context.fetch(request)
                return "answered"
            } catch {
                return "not answered"
            }
        }
    }
}
