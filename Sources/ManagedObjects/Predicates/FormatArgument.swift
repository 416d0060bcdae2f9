// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// A value of Swift that Apple's systems bridge to an object wherever a `CVarArg` is wanted.
///
/// So that programs which write `NSPredicate(format: "id == %@", id as CVarArg)`, or forward
/// arguments of that type, compile unchanged. Predicates get the value itself; in
/// `String(format:)` the argument of `%@` is its text.
public protocol FormatArgument: _CVarArgObject {}

extension FormatArgument {
    /// The text of the value, which formats of strings write for `%@`.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }

    /// Traps: what formats of strings take is ``_cVarArgObject``.
    public var _cVarArgEncoding: [Int] {
        trap("\(self) of type \(type(of: self)) is no argument of C; pass its text")
    }
}

extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}

// On Linux Foundation leaves all of its classes but NSString without it.
extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: ObjectIdentifier(self))] }

    /// The description of the object, which formats of strings write for `%@`.
    ///
    /// Foundation on Linux crashes where they are given another object than an `NSString`.
    public var _cVarArgObject: any CVarArg {
        self is NSString ? self : NSString(string: description)
    }
}
