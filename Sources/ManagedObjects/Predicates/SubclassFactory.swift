// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Lets a convenience initialiser return an object of a subclass.
protocol SubclassFactory {}

extension NSPredicate: SubclassFactory {}
extension NSExpression: SubclassFactory {}
extension NSSortDescriptor: SubclassFactory {}
extension ValueTransformer: SubclassFactory {}

extension SubclassFactory {
    /// Is the object that was made.
    init(_made object: Self) { self = object }

    /// Is the object that was made; traps where a program's own subclass, which inherits the
    /// initialisers, should be.
    ///
    /// - Parameters:
    ///   - object: The object, of a subclass of this module.
    ///   - source: What it is made of, for the message.
    ///   - base: The class to use instead, for the message.
    init(_made object: some SubclassFactory, of source: String, _ base: String) {
        guard let result = object as? Self else {
            trap("\(Self.self) cannot be made of \(source); make an \(base) and keep it")
        }
        self = result
    }
}
