// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// A predicate of the format language: what `NSPredicate(format:)` returns.
final class FormatPredicate: NSPredicate {
    private let parsed: PredicateTree
    /// What the tree is read from anew, where an argument is not saved yet: its key will change.
    private let source: (format: String, arguments: [Any?])?

    init(format: String, arguments: [Any?]) throws {
        let operands = arguments.map { PredicateConversion.operand($0) }
        parsed = try PredicateTree(format: format, arguments: operands.map { .operand($0) })
        source = operands.contains(where: PredicateConversion.isUnsaved) ? (format, arguments) : nil
        super.init(value: true)
    }

    init(tree: PredicateTree) {
        parsed = tree
        source = nil
        super.init(value: true)
    }

    /// The predicate, with the keys that objects have now.
    var tree: PredicateTree {
        guard let source else { return parsed }
        let arguments = source.arguments.map { PredicateConversion.argument($0) }
        return (try? PredicateTree(format: source.format, arguments: arguments)) ?? parsed
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
                let made = try FormatPredicate(
                    format: predicateFormat, arguments: arguments ?? [])
                return unsafeDowncast(made, to: Self.self)
            } catch {
                preconditionFailure("\(error)")
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
