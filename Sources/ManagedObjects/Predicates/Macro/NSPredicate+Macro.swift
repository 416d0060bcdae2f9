// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Synchronization
import Traps

extension NSPredicate {
    /// Takes a predicate of the macro `#Predicate`.
    ///
    /// ```swift
    /// let year: Int32 = 1990
    /// request.predicate = NSPredicate(
    ///     #Predicate<Book> { $0.year > year && $0.title.contains("x") })
    /// ```
    ///
    /// It becomes what the format `year > 1990 AND title CONTAINS "x"` is: with the same equality,
    /// text and fetch plan. What has no such form, such as a cast or a computed property, evaluates
    /// as a block does, and a fetch from a file throws 134070, which names the expression. Never
    /// nil; an optional as with Core Data.
    public convenience init?<Input: NSManagedObject>(_ predicate: Foundation.Predicate<Input>) {
        let made: NSPredicate
        do {
            var conversion = MacroConversion(predicate.variable.key)
            made = PredicateMaking.predicate(
                try conversion.predicate(predicate.expression))
        } catch {
            made = UnconvertedPredicate(predicate, error)
        }
        self.init(_made: made, of: "a #Predicate", "NSPredicate")
    }
}

/// A predicate of the macro `#Predicate` that no format expresses.
final class UnconvertedPredicate: NSPredicate {
    /// Why a store cannot run it.
    let reason: String
    private let text: String

    init<Input: NSManagedObject>(
        _ predicate: Foundation.Predicate<Input>, _ failure: MacroConversion.Failure
    ) {
        reason = failure.message
        text = "\(predicate)"
        super.init(block: { object, _ in
            guard let object = object as? Input else { return false }
            do {
                return try predicate.evaluate(object)
            } catch {
                trap("\(predicate) cannot be evaluated with \(object): \(error)")
            }
        })
    }

    /// What a fetch throws: 134070.
    var error: CocoaError { PredicateConversion.unsupported("\(reason) of a #Predicate") }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var description: String { text }

    override func isEqual(_ object: Any?) -> Bool { object as? NSObject === self }

    override var hash: Int { ObjectIdentifier(self).hashValue }
}
