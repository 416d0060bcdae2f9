// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

extension NSPredicate {
    /// Reads a predicate of the format language, such as `name BEGINSWITH[c] %@ AND age > 3`.
    ///
    /// ```swift
    /// let good = NSPredicate(format: "score > %d AND team.name BEGINSWITH[c] %@", 10, "b")
    /// let theirs = NSPredicate(format: "%K IN %@", "team", [blues, reds])
    /// ```
    ///
    /// `%@` takes any value, object, object ID or collection of such, `%K` a key path, `%d`, `%f`
    /// and their like numbers. An expression stands for itself, an entity for its name, a closed
    /// range for its bounds in `BETWEEN` and `IN`, an enumeration for its raw value. Traps for a
    /// format that cannot be read and for a value that predicates cannot hold, naming the place.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
        self.init(format: predicateFormat, argumentArray: args)
    }

    /// Reads a predicate of the format language with its arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any?]?) {
        let made: NSPredicate
        do {
            made = try PredicateMaking.parse(predicateFormat, arguments ?? [])
        } catch {
            trap("\(error)")
        }
        guard let plain = made.asPlain(Self.self) else {
            self.init(_made: made, of: "a format", "NSPredicate")
            return
        }
        self.init(_made: plain)
    }

    /// Reads a predicate of the format language, for text that a user has typed.
    ///
    /// ```swift
    /// let typed = try NSPredicate.parse("score BETWEEN {10, 20}")
    /// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [theirs, typed])
    /// ```
    ///
    /// - Throws: ``PredicateSyntaxError`` with the place of the error, also for an argument that
    ///   predicates cannot hold.
    public static func parse(_ format: String, arguments: [Any?] = []) throws -> NSPredicate {
        try PredicateMaking.parse(format, arguments)
    }
}

/// A member of `NSPredicate` that is unavailable on Linux, see ``ExpressionParts``.
public protocol PredicateParts: NSPredicate {}

extension NSPredicate: PredicateParts {}

extension PredicateParts {
    /// Does nothing: on Apple's systems it allows a predicate that was unarchived to be evaluated,
    /// which is allowed here.
    public func allowEvaluation() {}

    /// The predicate with values in place of variables, `$name` in the format.
    ///
    /// Variables without a value stay, and have to be given one before the predicate is used. A
    /// predicate of a block, which takes its variables when it is evaluated, stays as it is.
    /// Traps for a value that predicates cannot hold.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let made: NSPredicate
        if let known = managedContent {
            made = known.substituting(variables)
        } else if let compound = self as? NSCompoundPredicate {
            made = NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: compound.subpredicates.map {
                    $0.withSubstitutionVariables(variables)
                })
        } else {
            return self
        }
        if let plain = made.asPlain(Self.self) { return plain }
        guard let result = made as? Self else {
            trap("\(type(of: self)) cannot be made anew with values for its variables")
        }
        return result
    }
}

extension NSPredicate {
    /// The predicate as one of a type, if that is `NSPredicate` itself: told without the cast that
    /// subclasses need.
    @inline(__always)
    fileprivate final func asPlain<Wanted: NSPredicate>(_ type: Wanted.Type) -> Wanted? {
        // SAFETY: the type is that of `self`.
        type == NSPredicate.self ? unsafeDowncast(self, to: type) : nil
    }
}
