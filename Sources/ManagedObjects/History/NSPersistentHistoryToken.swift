// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A position in the history of the stores of a coordinator: everything up to it is known.
///
/// Archive it to go on from there in the next run of the program. Tokens are equal when they name
/// the same positions of the same stores. Any thread may use one.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The number of the last known transaction, by the identity of the store.
    let positions: [String: UInt64]

    init(_ positions: [String: UInt64]) {
        self.positions = positions
        super.init()
    }

    /// The last known transaction of a store, as predicates compare it; 0 for an unknown store.
    ///
    /// - Parameter store: The identity of the store; `nil` where that is not known.
    func number(in store: String?) -> UInt64 {
        store.map { positions[$0] ?? 0 } ?? positions.values.max() ?? 0
    }

    /// The token itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both name the same positions.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.positions == positions
    }

    /// The hash of the positions.
    public override var hash: Int { positions.hashValue }

    /// The stores and the numbers of their transactions.
    public override var description: String { "<NSPersistentHistoryToken \(text)>" }

    private var text: String {
        positions.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
            .joined(separator: " ")
    }

    // MARK: NSSecureCoding

    /// Tokens can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived token.
    public init?(coder: NSCoder) {
        guard let archived = coder.decodeObject(of: NSString.self, forKey: "positions") else {
            return nil
        }
        var positions: [String: UInt64] = [:]
        for part in String(describing: archived).split(separator: " ") {
            let pair = part.split(separator: ":")
            guard pair.count == 2, let number = UInt64(pair[1]) else { return nil }
            positions[String(pair[0])] = number
        }
        self.positions = positions
        super.init()
    }

    /// Archives the token.
    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: text), forKey: "positions")
    }
}
