// SPDX-License-Identifier: Apache-2.0

/// How a library is imported.
public enum LibraryImport: String, CaseIterable, Sendable {
    case steps = "import, a commit every 10,000"
    case whole = "import, one commit"

    /// The books of a commit.
    public var commitSize: Int { self == .steps ? 10_000 : .max }
}

/// What is done with a library that is there, in this order.
public enum LibraryTask: String, CaseIterable, Sendable {
    case read = "read by ID at random, all attributes"
    case all = "fetch all, sum one attribute"
    case range = "an indexed range of years, all attributes"
    case traverse = "from each shelf to its books, all attributes"
    case traverseIDs = "from each shelf to its books, IDs only"
    case unique = "a book by its ISBN, predicate made each time"
    case keptUnique = "a book by its ISBN, request kept"
    case filter = "filter a double and a text prefix by scan"
    case count = "count by a double, no index"
    case grouped = "group by year, average rating"
    case years = "books of each year, in order, counted by an index"
    case top = "top 100 by rating and title, no index"
    case sorted = "all books in the order of their titles, no index"
    case shelfName = "the books of a shelf by its name, no index on it"
    case findOrCreate = "find or create by ISBN, half new, one commit"
    case commit = "one new book a durable commit"
    case commitOnThreads = "one new book a durable commit, from 8 threads"
    case update = "update an indexed attribute at random"
    case delete = "delete at random"

    /// Whether the task changes the file.
    public var changes: Bool {
        switch self {
        case .findOrCreate, .commit, .commitOnThreads, .update, .delete: true
        default: false
        }
    }

    /// Whether the task is asked of an engine in its less usual settings, too: all changes are, as
    /// the files are compared after them.
    var isMain: Bool {
        switch self {
        case .read, .all, .range, .traverse, .keptUnique: true
        default: changes
        }
    }

    /// What is left to ask of a file after changes, to see that its indexes agree with its books.
    public static let afterChanges: [LibraryTask] = [.range, .traverse, .keptUnique]
}
