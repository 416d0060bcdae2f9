// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store
import Traps

/// One committed state of a store that a context can stay at.
///
/// Tokens compare by the state that they name. Any thread may use one.
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding,
    // SAFETY: all of it is set once; @unchecked only because NSObject is no Sendable class.
    @unchecked Sendable
{
    /// The number of the transaction of each file, by its UUID; `nil` for whatever is newest.
    private let states: [String: UInt64]?

    private static let newest = NSQueryGenerationToken(states: nil)

    /// Stands for the newest state at the time of pinning.
    public class var current: NSQueryGenerationToken { newest }

    private init(states: [String: UInt64]?) {
        self.states = states
        super.init()
    }

    convenience init(_ snapshots: [StoreSnapshot]) {
        let states = snapshots.map { ($0.store.uuid.description, $0.transactionID) }
        self.init(states: Dictionary(states) { first, _ in first })
    }

    /// Whether a snapshot sees the token's state of its file; always, for ``current``.
    func isSeen(by snapshot: StoreSnapshot) -> Bool {
        states.map { $0[snapshot.store.uuid.description] == snapshot.transactionID } ?? true
    }

    /// The token itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both name the same state.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return other.states == states
    }

    /// The state's hash.
    public override var hash: Int { states.hashValue }

    // MARK: NSSecureCoding

    /// Tokens can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived token.
    public init?(coder: NSCoder) {
        if let text = coder.decodeObject(of: NSString.self, forKey: "states") {
            let words = String(describing: text).split(separator: " ").map { String($0) }
            let pairs = stride(from: 0, to: words.count - 1, by: 2).map { index in
                (words[index], UInt64(words[index + 1]) ?? 0)
            }
            states = Dictionary(pairs) { first, _ in first }
        } else if let store = coder.decodeObject(of: NSString.self, forKey: "store") {
            // Tokens knew one file before.
            let number = UInt64(bitPattern: coder.decodeInt64(forKey: "transaction"))
            states = [String(describing: store): number]
        } else {
            states = nil
        }
        super.init()
    }

    /// Archives the token.
    public func encode(with coder: NSCoder) {
        guard let states else { return }
        let words = states.sorted { $0.key < $1.key }.flatMap { [$0.key, "\($0.value)"] }
        coder.encode(NSString(string: words.joined(separator: " ")), forKey: "states")
    }
}

extension NSManagedObjectContext {
    /// The state that the context is pinned to; `nil` while it moves with others' saves.
    ///
    /// A pinned context that was reset is pinned to the newest state by its next read, or here.
    public final var queryGenerationToken: NSQueryGenerationToken? {
        do { try pinAnew() } catch { lastReadError = error }
        return readPoint.pinnedGeneration
    }

    /// Pins what the context reads to one committed state, or lets it move again.
    ///
    /// ```swift
    /// try context.setQueryGenerationFrom(.current)
    /// let players = try context.fetch(request)
    /// let count = try context.count(for: request)  // players.count, whatever others save
    /// try context.setQueryGenerationFrom(nil)
    /// ```
    ///
    /// A pinned context sees the same rows in each fetch and fault, whatever others save. Its own
    /// saves are checked against the newest state and move the pin to what they committed; merging
    /// moves it as well, and so does a conflict. A pinned context keeps LMDB from reusing the pages
    /// that others replace, so unpin it when the work is done.
    ///
    /// - Parameter generation: ``NSQueryGenerationToken/current`` for the newest state, a token of
    ///   another context for the state that it is pinned to, or `nil` to unpin.
    /// - Throws: 134070 when the context can no longer read the token's state: LMDB opens the
    ///   newest state only, so a token can be shared until the next commit.
    public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        require(source == nil, "a child reads what its parent reads; pin the root context")
        guard let generation else {
            readPoint.pinnedGeneration = nil
            return
        }
        let snapshots = try requireStates {
            generation == .current || !generation.isSeen(by: $0)
        }
        guard snapshots.allSatisfy(generation.isSeen) else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the generation is no longer the newest one; pin all contexts that are to see "
                    + "the same state before the next save")
        }
        readPoint.pinnedGeneration = NSQueryGenerationToken(snapshots)
    }
}
