// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// What archives hold as text; programs do not conform to it.
///
/// Foundation's classes of predicates, expressions and sort descriptors have no coding on Linux. An
/// initialiser of a protocol gives it to them from outside, as it may return an object of a
/// subclass.
public protocol TextArchived {}

extension TextArchived {
    /// Reads an archive of this library's; nil, with the coder's error set, for another one.
    public init?(coder: NSCoder) {
        do {
            guard let made = try TextArchive.decode(Self.self, coder) as? Self else {
                throw TextArchive.corrupt("another class than \(Self.self)")
            }
            self = made
        } catch {
            coder.failWithError(error)
            return nil
        }
    }

    /// Writes the text of the format.
    ///
    /// Traps for what has none: blocks, comparators, a program's subclasses, objects and fetches.
    public func encode(with coder: NSCoder) {
        do {
            try TextArchive.encode(self, coder)
        } catch {
            // A coder that is told of the error would end the program as well, without the reason.
            trap("\(self) cannot be archived: \(error)")
        }
    }

    /// Whether the class may be decoded with secure coding: it may.
    public static var supportsSecureCoding: Bool { true }
}

extension NSPredicate: TextArchived, @retroactive NSSecureCoding {}
extension NSExpression: TextArchived, @retroactive NSSecureCoding {}
extension NSSortDescriptor: TextArchived, @retroactive NSSecureCoding {}
