// SPDX-License-Identifier: Apache-2.0

/// Follows a fetch while it runs, and may end it.
public struct FetchWatch: Sendable {
    /// The candidates between two looks.
    public static let interval = 1_000

    private let body: @Sendable (_ matches: Int) throws -> Void

    /// Makes a watch.
    ///
    /// - Parameter body: Is called on the fetch's thread, every so many candidates, with the number
    ///   of matches so far, those before the offset too. What it throws ends the fetch.
    public init(_ body: @escaping @Sendable (_ matches: Int) throws -> Void) {
        self.body = body
    }

    func look(_ matches: Int) throws { try body(matches) }
}
