// SPDX-License-Identifier: Apache-2.0

/// The selectors of functions that the text form writes with a syntax of their own.
///
/// All other functions are written `name(arguments)`, for a selector `name` without arguments
/// or `name:` with any number of them, and `first:second:(arguments)` for longer selectors.
public enum FunctionName {
    /// `a + b`.
    public static let add = "add:to:"
    /// `a - b`; `-a` is `0 - a`.
    public static let subtract = "from:subtract:"
    /// `a * b`.
    public static let multiply = "multiply:by:"
    /// `a / b`.
    public static let divide = "divide:by:"
    /// `a ** b`.
    public static let power = "raise:toPower:"
    /// `CAST(a, "Type")`.
    public static let cast = "castObject:toType:"
    /// `a[index]`.
    public static let index = "objectFrom:withIndex:"
    /// `a[FIRST]`.
    public static let first = "first:"
    /// `a[LAST]`.
    public static let last = "last:"
    /// `a[SIZE]`.
    public static let size = "size:"
    /// `ANYKEY`, without arguments.
    public static let anyKey = "ANYKEY"
    /// `FETCH(request, context, flag)`: two variables that stand for arguments, and a boolean.
    public static let fetch = "FETCH"
    /// `FUNCTION(a, "selector:", …)`; the selector is the second argument, a string constant.
    public static let call = "FUNCTION"
    /// What the functions that are not methods of a value have for a target, as a constant.
    public static let target = "_NSPredicateUtilities"
    /// `a & b`.
    public static let bitAnd = "bitwiseAnd:with:"
    /// `a | b`.
    public static let bitOr = "bitwiseOr:with:"
    /// `a ^ b`.
    public static let bitXor = "bitwiseXor:with:"
    /// `a << b`.
    public static let shiftLeft = "leftshift:by:"
    /// `a >> b`.
    public static let shiftRight = "rightshift:by:"
    /// `~a`.
    public static let complement = "onesComplement:"
    /// `a UNION b`.
    public static let union = "unionSet:with:"
    /// `a INTERSECT b`.
    public static let intersect = "intersectSet:with:"
    /// `a MINUS b`.
    public static let minus = "minusSet:with:"

    /// The functions that make one value of many.
    public static let aggregates: Set<String> = [
        "sum:", "average:", "min:", "max:", "count:", "median:", "mode:", "stddev:",
    ]

    /// The functions that take collections, whose arguments are not computed member by member.
    public static let ofCollections = aggregates.union([
        index, first, last, size, union, intersect, minus,
    ])

    /// The types that ``cast`` makes, by the names that stand in predicates.
    public static let castTypes = [
        "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSUUID", "NSURL", "NSData", "boolean",
        "float", "double", "Transformable", "NSManagedObjectID",
    ]

    /// The function that a collection operator such as `@sum` applies; nil for one of another kind.
    ///
    /// `@count` is not among them, as it counts nil members too.
    public static func function(ofOperator name: String) -> String? {
        switch name {
        case "@sum": "sum:"
        case "@avg": "average:"
        case "@min": "min:"
        case "@max": "max:"
        default: nil
        }
    }
}
