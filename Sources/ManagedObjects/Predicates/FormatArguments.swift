// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Arguments of a predicate's format on their way through a function that forwards them.
///
/// It stands for the `CVaListPointer` of Apple's systems. One of Linux cannot be read safely: only
/// the format says what lies in it, and a wrong format would make an address of a number.
public struct FormatArguments {
    /// The arguments as they were given.
    let values: [any CVarArg]
}

/// The arguments for `NSPredicate(format:arguments:)` and `NSExpression(format:arguments:)`.
///
/// ```swift
/// func books(where format: String, _ arguments: any CVarArg...) throws -> [Book] {
///     request.predicate = NSPredicate(format: format, arguments: getVaList(arguments))
///     return try context.fetch(request)
/// }
/// ```
///
/// Swift has no function of this name on Linux. `NSPredicate(format:argumentArray:)` takes the
/// array itself.
public func getVaList(_ arguments: [any CVarArg]) -> FormatArguments {
    FormatArguments(values: arguments)
}

/// Calls a function with arguments for `NSPredicate(format:arguments:)`, see ``getVaList(_:)``.
///
/// Where the function wants a `CVaListPointer`, Swift's own `withVaList(_:_:)` is called.
///
/// - Throws: What the function throws.
@_disfavoredOverload
public func withVaList<Result>(
    _ arguments: [any CVarArg], _ body: (FormatArguments) throws -> Result
) rethrows -> Result {
    try body(FormatArguments(values: arguments))
}

extension NSPredicate {
    /// Reads a predicate of the format language with arguments that a function forwards.
    ///
    /// As ``init(format:argumentArray:)``, which is the shorter way.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format.
    ///   - argList: What ``getVaList(_:)`` or ``withVaList(_:_:)`` makes.
    public convenience init(format predicateFormat: String, arguments argList: FormatArguments) {
        self.init(format: predicateFormat, argumentArray: argList.values)
    }
}

extension NSExpression {
    /// Reads an expression of the format language with arguments that a function forwards.
    ///
    /// - Parameters:
    ///   - expressionFormat: The format.
    ///   - argList: What ``getVaList(_:)`` or ``withVaList(_:_:)`` makes.
    public convenience init(format expressionFormat: String, arguments argList: FormatArguments) {
        self.init(format: expressionFormat, argumentArray: argList.values)
    }
}
