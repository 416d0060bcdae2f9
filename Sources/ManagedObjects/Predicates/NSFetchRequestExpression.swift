// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// The type that an ``NSFetchRequestExpression`` has among expressions, with Core Data's raw value.
public let NSFetchRequestExpressionType: UInt = 50

/// An expression whose value is what a fetch finds, or the number of it.
///
/// As an argument of a predicate's format it takes the place of a list or of a number. The fetch
/// runs whenever the predicate is used, on the queue of the context that it names:
///
/// ```swift
/// let best = NSFetchRequestExpression.expression(
///     forFetch: NSExpression(forConstantValue: bestAuthors),
///     context: NSExpression(forConstantValue: context), countOnly: false)
/// request.predicate = NSPredicate(format: "author IN %@", best)
/// // The same, written in the format:
/// request.predicate = NSPredicate(
///     format: "author IN FETCH(%@, %@, NO)", bestAuthors, context)
/// ```
open class NSFetchRequestExpression: NSExpression {
    // Optional because no initialiser of the superclass can be called.
    private var parts: Parts? = nil

    /// A reference, which is nil when its bits are zero.
    private final class Parts {
        let request: NSExpression
        let context: NSExpression
        let isCountOnly: Bool

        init(_ request: NSExpression, _ context: NSExpression, _ isCountOnly: Bool) {
            self.request = request
            self.context = context
            self.isCountOnly = isCountOnly
        }
    }

    private var known: Parts {
        guard let parts else { trap("a fetch request expression has lost its request") }
        return parts
    }

    /// The request: a constant ``NSFetchRequest``.
    public final var request: NSExpression { known.request }
    /// Where the request runs: a constant ``NSManagedObjectContext``.
    public final var context: NSExpression { known.context }
    /// Whether the value is the number of matches.
    public final var isCountOnlyRequest: Bool { known.isCountOnly }

    /// Makes an expression.
    ///
    /// - Parameters:
    ///   - fetch: Its value is an ``NSFetchRequest``.
    ///   - context: Its value is an ``NSManagedObjectContext``.
    ///   - countFlag: Whether the number of matches is wanted instead of the matches.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        let made = ClassMetadata.makeObject(NSFetchRequestExpression.self)
        made.parts = Parts(fetch, context, countFlag)
        return made
    }

    /// Is itself: it never changes.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Runs the fetch: an array of its results, or their number.
    ///
    /// A fetch that fails finds nothing and leaves its error in the context's `lastReadError`.
    /// Traps if the expressions are not those of a request and of a context.
    final func run(with object: Any?, _ context: NSMutableDictionary?) -> Any? {
        let place = self.context.expressionValue(with: object, context: context)
        let wanted = request.expressionValue(with: object, context: context)
        guard let place = place as? NSManagedObjectContext,
            let wanted = wanted as? any ExpressionFetch
        else {
            trap(
                "a fetch request expression needs a request and a context, not "
                    + "\(wanted ?? "nil") and \(place ?? "nil")")
        }
        do {
            if isCountOnlyRequest { return NSNumber(value: try wanted.number(in: place)) }
            return try wanted.results(in: place)
        } catch {
            place.lastReadError = error
            return isCountOnlyRequest ? NSNumber(value: 0) : [Any]()
        }
    }

    /// Whether both run equal requests in the same context and give the same kind of result.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchRequestExpression else { return false }
        return request == other.request && context == other.context
            && isCountOnlyRequest == other.isCountOnlyRequest
    }

    /// The hash of the request.
    open override var hash: Int { request.hash }

    /// The expression's text.
    open override var description: String {
        "FETCH(\(request), \(context), \(isCountOnlyRequest ? "TRUE" : "FALSE"))"
    }
}

/// A fetch request of any result type.
protocol ExpressionFetch {
    func number(in context: NSManagedObjectContext) throws -> Int
    func results(in context: NSManagedObjectContext) throws -> [Any]
}

extension NSFetchRequest: ExpressionFetch {
    func number(in context: NSManagedObjectContext) throws -> Int {
        try context.count(for: self)
    }

    func results(in context: NSManagedObjectContext) throws -> [Any] {
        try context.fetch(self)
    }
}
