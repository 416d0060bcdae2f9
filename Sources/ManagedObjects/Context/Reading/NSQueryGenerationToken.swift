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
    /// The store and the number of the transaction; `nil` for whatever is newest.
    private let state: State?

    private struct State: Hashable {
        let store: String
        let transactionID: UInt64
    }

    private static let newest = NSQueryGenerationToken(state: nil)

    /// Stands for the newest state at the time of pinning.
    public class var current: NSQueryGenerationToken { newest }

    private init(state: State?) {
        self.state = state
        super.init()
    }

    convenience init(_ snapshot: StoreSnapshot) {
        self.init(
            state: State(
                store: snapshot.store.uuid.description, transactionID: snapshot.transactionID))
    }

    /// Whether a snapshot sees the token's state; always, for ``current``.
    func isSeen(by snapshot: StoreSnapshot) -> Bool {
        state == nil || self == NSQueryGenerationToken(snapshot)
    }

    /// The token itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both name the same state.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return other.state == state
    }

    /// The state's hash.
    public override var hash: Int { state.hashValue }

    // MARK: NSSecureCoding

    /// Tokens can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived token.
    public init?(coder: NSCoder) {
        if let store = coder.decodeObject(of: NSString.self, forKey: "store") {
            let number = UInt64(bitPattern: coder.decodeInt64(forKey: "transaction"))
            state = State(store: String(describing: store), transactionID: number)
        } else {
            state = nil
        }
        super.init()
    }

    /// Archives the token.
    public func encode(with coder: NSCoder) {
        guard let state else { return }
        coder.encode(NSString(string: state.store), forKey: "store")
        coder.encode(Int64(bitPattern: state.transactionID), forKey: "transaction")
    }
}

extension NSManagedObjectContext {
    /// The state that the context is pinned to; `nil` while it moves with others' saves.
    public final var queryGenerationToken: NSQueryGenerationToken? { readPoint.pinnedGeneration }

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
    /// moves it as well. A pinned context keeps LMDB from reusing the pages that others replace, so
    /// unpin it when the work is done.
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
        let snapshot = try requireSnapshot()
        if generation == .current || !generation.isSeen(by: snapshot), snapshot.isOutdated {
            try moveSnapshot(snapshot)
        }
        guard generation.isSeen(by: snapshot) else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "the generation is no longer the newest one; pin all contexts that are to see "
                    + "the same state before the next save")
        }
        readPoint.pinnedGeneration = NSQueryGenerationToken(snapshot)
    }
}
