// SPDX-License-Identifier: Apache-2.0

/// The books of an import, one after the other.
public final class BookSource {
    private var chunk: [BookRow] = []
    private var index = 0
    private let refill: () -> [BookRow]

    /// Takes books from a block until it gives none.
    public init(_ refill: @escaping () -> [BookRow]) { self.refill = refill }

    /// Gives books that are in memory.
    public convenience init(_ books: [BookRow]) {
        var rest = books
        self.init {
            defer { rest = [] }
            return rest
        }
    }

    /// The next book; nil at the end.
    @inline(__always)
    func next() -> BookRow? {
        if index == chunk.count {
            chunk = refill()
            index = 0
            guard !chunk.isEmpty else { return nil }
        }
        defer { index += 1 }
        return chunk[index]
    }

    /// The books up to the next commit; none at the end.
    func next(_ limit: Int) -> [BookRow] {
        var books: [BookRow] = []
        while books.count < limit, let book = next() { books.append(book) }
        return books
    }
}
