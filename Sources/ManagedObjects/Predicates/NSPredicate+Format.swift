// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

/// A predicate of the format language: what `NSPredicate(format:)` returns.
final class FormatPredicate: NSPredicate {
    private let parsed: PredicateTree
    /// What the tree is read from anew, where an argument names objects.
    private let source: (format: String, arguments: [Any?])?
    /// Whether an argument is not saved yet: its key will change.
    let hasUnsaved: Bool
    /// Whether an argument is a fetch, which runs whenever the predicate is used.
    private let hasFetch: Bool
    /// The stores of the objects that arguments name.
    private let stores: Set<String>

    init(format: String, arguments: [Any?]) throws {
        hasFetch = arguments.contains { $0 is NSFetchRequestExpression }
        let operands = arguments.map { argument in
            argument is NSFetchRequestExpression
                ? .list([]) : PredicateConversion.operand(argument)
        }
        parsed = try PredicateTree(format: format, arguments: operands.map { .operand($0) })
        hasUnsaved = operands.contains(where: PredicateConversion.isUnsaved)
        stores = arguments.reduce(into: []) { PredicateConversion.noteStores(of: $1, &$0) }
        source = hasUnsaved || hasFetch || !stores.isEmpty ? (format, arguments) : nil
        super.init(value: true)
    }

    init(tree: PredicateTree) {
        parsed = tree
        source = nil
        hasUnsaved = false
        hasFetch = false
        stores = []
        super.init(value: true)
    }

    /// The predicate, with the keys that objects have now.
    ///
    /// - Parameter store: The identifier of the store whose objects it is asked about: objects of
    ///   others are none of them, whatever their rows.
    func tree(in store: String?) -> PredicateTree {
        let hasForeign = store.map { own in stores.contains { $0 != own } } ?? false
        guard let source, hasUnsaved || hasForeign || hasFetch else { return parsed }
        let arguments = source.arguments.map { PredicateConversion.argument($0, in: store) }
        return (try? PredicateTree(format: source.format, arguments: arguments)) ?? parsed
    }

    /// Predicates are not archived on Linux; the format text is the portable form.
    required init?(coder: NSCoder) { return nil }

    override func evaluate(with object: Any?) -> Bool {
        let context = (object as? NSManagedObject)?.context
        let store = context?.hasFurtherStores == true ? nil : context?.persistentStore?.identity
        return PredicateConversion.evaluate(tree(in: store), object)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    @available(*, deprecated)
    override var predicateFormat: String { "\(tree(in: nil))" }

    override var description: String { "\(tree(in: nil))" }
}

/// Lets a convenience initialiser return an object of a subclass.
protocol PredicateFactory {}

extension PredicateFactory {
    init(_factory make: () -> Self) { self = make() }
}

extension NSPredicate: PredicateFactory {}

extension NSPredicate {
    /// Reads a predicate of the format language, such as `name BEGINSWITH[c] %@ AND age > 3`.
    ///
    /// `%@` takes any value, object, object ID or collection of such, `%K` a key path, `%d`, `%f`
    /// and their like numbers. Traps for a format that cannot be read, naming the place.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
        self.init(format: predicateFormat, argumentArray: args)
    }

    /// Reads a predicate of the format language with its arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any?]?) {
        self.init(_factory: {
            do {
                let made = try FormatPredicate(
                    format: predicateFormat, arguments: arguments ?? [])
                return unsafeDowncast(made, to: Self.self)
            } catch {
                trap("\(error)")
            }
        })
    }

    /// Reads a predicate of the format language, for text that a user has typed.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the place of the error.
    public static func parse(_ format: String, arguments: [Any?] = []) throws -> NSPredicate {
        try FormatPredicate(format: format, arguments: arguments)
    }
}
