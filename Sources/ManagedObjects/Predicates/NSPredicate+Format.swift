// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A predicate of the format language: what `NSPredicate(format:)` returns.
final class FormatPredicate: NSPredicate {
    let tree: PredicateTree

    init(_ tree: PredicateTree) {
        self.tree = tree
        super.init(value: true)
    }

    /// Predicates are not archived on Linux; the format text is the portable form.
    required init?(coder: NSCoder) { return nil }

    override func evaluate(with object: Any?) -> Bool {
        PredicateConversion.evaluate(tree, object)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    @available(*, deprecated)
    override var predicateFormat: String { "\(tree)" }

    override var description: String { "\(tree)" }
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
                let tree = try PredicateTree(
                    format: predicateFormat,
                    arguments: (arguments ?? []).map { PredicateConversion.argument($0) })
                return unsafeDowncast(FormatPredicate(tree), to: Self.self)
            } catch {
                preconditionFailure("\(error)")
            }
        })
    }

    /// Reads a predicate of the format language, for text that a user has typed.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the place of the error.
    public static func parse(_ format: String, arguments: [Any?] = []) throws -> NSPredicate {
        FormatPredicate(
            try PredicateTree(
                format: format, arguments: arguments.map { PredicateConversion.argument($0) }))
    }
}
