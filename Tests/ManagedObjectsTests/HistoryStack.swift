// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// Films with directors; the film's title and the poster outlive a deletion in the history.
enum HistoryModel {
    static func make() -> NSManagedObjectModel {
        let title = Build.attribute("title")
        title.preservesValueInHistoryOnDeletion = true
        let poster = Build.attribute("poster", .binaryDataAttributeType)
        poster.allowsExternalBinaryDataStorage = true
        poster.preservesValueInHistoryOnDeletion = true
        let film = Build.entity(
            "Film", [title, poster, Build.attribute("year", .integer32AttributeType)])
        let person = Build.entity("Person", [Build.attribute("name")])
        let films = Build.relationship("films", of: person, to: film, max: 0)
        Build.inverse(films, Build.relationship("director", of: film, to: person, max: 1))
        return Build.model(film, person)
    }
}

extension Stack {
    /// A stack whose store keeps a history.
    static func withHistory(
        _ options: [String] = [NSPersistentHistoryTrackingKey]
    ) throws -> Stack {
        let stack = try Stack(HistoryModel.make())
        try stack.reopen(options)
        return stack
    }

    func reopen(_ options: [String]) throws {
        try reopen { description in
            for option in options {
                description.setOption(NSNumber(value: true), forKey: option)
            }
        }
    }

    var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

    /// Saves a film by an author; returns it.
    @discardableResult
    func film(_ title: String, by author: String? = nil) throws -> NSManagedObject {
        context.transactionAuthor = author
        let film = context.make("Film", ["title": title])
        try context.save()
        return film
    }

    func history(
        _ request: NSPersistentHistoryChangeRequest
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    /// The whole history, in short: `1 author: +Film/p1 *Film/p2.title.year -Film/p3`.
    func story() throws -> [String] {
        try history(.fetchHistory(after: nil as NSPersistentHistoryToken?)).map(\.story)
    }

    var token: NSPersistentHistoryToken? {
        coordinator.currentPersistentHistoryToken(fromStores: nil)
    }
}

extension NSPersistentHistoryTransaction {
    var story: String {
        let changes = (changes ?? []).map(\.story).joined(separator: " ")
        return "\(transactionNumber) \(author ?? "-"): \(changes)"
    }
}

extension NSPersistentHistoryChange {
    var story: String {
        let kind = ["+", "*", "-"][changeType.rawValue]
        let names = (updatedProperties ?? []).map(\.name).sorted().map { ".\($0)" }.joined()
        let path = changedObjectID.uriRepresentation().path.dropFirst()
        return kind + path + names
    }
}

/// Notes the remote changes of a coordinator.
final class RemoteRecorder: Sendable {
    // Posted on a queue of the coordinator.
    private let tokens = Mutex<[NSPersistentHistoryToken?]>([])
    private let keys = Mutex<[Set<String>]>([])
    private let arrival = DispatchSemaphore(value: 0)
    // Set once, before others see the recorder.
    private let observer = Mutex<UncheckedObserver?>(nil)

    /// An observer, which only the center looks at.
    private struct UncheckedObserver: @unchecked Sendable {
        let value: any NSObjectProtocol
    }

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let made = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [unowned self] notification in
            let info = notification.userInfo ?? [:]
            tokens.withLock {
                $0.append(info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
            }
            keys.withLock { $0.append(Set(info.keys.compactMap { $0 as? String })) }
            arrival.signal()
        }
        observer.withLock { $0 = UncheckedObserver(value: made) }
    }

    deinit {
        if let observer = observer.withLock({ $0 }) {
            NotificationCenter.default.removeObserver(observer.value)
        }
    }

    /// The tokens of all notifications so far, once there are some more.
    func wait(for count: Int = 1) -> [NSPersistentHistoryToken?] {
        for _ in 0..<count {
            // Far more than it takes: a bound for a test that fails.
            guard arrival.wait(timeout: .now() + 20) == .success else { break }
        }
        return tokens.withLock { $0 }
    }

    /// Waits until a token was told.
    func wait(until token: NSPersistentHistoryToken?) -> Bool {
        while !tokens.withLock({ $0.contains(token) }) {
            // Far more than it takes: a bound for a test that fails.
            guard arrival.wait(timeout: .now() + 20) == .success else { return false }
        }
        return true
    }

    /// The tokens of all notifications so far.
    var told: [NSPersistentHistoryToken?] { tokens.withLock { $0 } }

    var userInfoKeys: [Set<String>] { keys.withLock { $0 } }
}
