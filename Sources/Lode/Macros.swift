// SPDX-License-Identifier: Apache-2.0

/// Reads and writes a property of a managed object in its context.
///
/// Attach it where Core Data's `@NSManaged` would stand. On Linux the compiler
/// accepts `@NSManaged`, but there is no runtime to write the accessors, so the
/// program does not link; this macro writes them.
///
/// ```swift
/// final class Item: NSManagedObject {
///     @Managed var name: String
///     @Managed var owner: Person?
///     @Managed var tags: Set<Tag>
/// }
/// ```
///
/// The property's name is the name of the attribute or relationship in the
/// model; ``Managed(_:)`` names another. Its type is what the model declares:
///
/// - an attribute: `String`, `Int16`, `Int32`, `Int64`, `Int`, `Double`, `Float`,
///   `Bool`, `Date`, `Data`, `UUID`, `URL`, `Decimal`, an enumeration over one of
///   these, or an optional of these;
/// - an attribute as an object: `NSNumber`, `NSDecimalNumber`, or an optional of these;
/// - a transformable attribute: an optional of the class or type of its value, or a
///   list, dictionary or other `Codable` value;
/// - a to-one relationship: an optional of the destination's class;
/// - a to-many relationship: `Set` of the destination's class, `NSSet`,
///   `NSOrderedSet`, or an array of the destination's class, optional or not.
///
/// A to-many relationship `tags` also gets the methods `addToTags(_:)` and
/// `removeFromTags(_:)`, for one object and for a collection. An `NSOrderedSet`
/// gets `insertIntoTags(_:at:)`, `removeFromTags(at:)` and `replaceTags(at:with:)`
/// as well, each for one index and for an `NSIndexSet`. They are as accessible as
/// the property's setter. `NSSet` and `NSOrderedSet` do not say what they hold,
/// so their methods take any `NSManagedObject`. An array gets no methods.
///
/// The property takes no initial value: give the default in the model. An
/// `override` property uses the key of the property it overrides.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(__lode_), arbitrary)
public macro Managed() = #externalMacro(module: "LodeMacros", type: "ManagedMacro")

/// Reads and writes the property that the model calls `key`.
///
/// ```swift
/// final class Item: NSManagedObject {
///     @Managed("description") var text: String
/// }
/// ```
///
/// For a property whose name in the code is not its name in the model; in all
/// else like ``Managed()``. Methods of a to-many relationship take their names
/// from the code.
///
/// - Parameter key: The name in the model, as a plain string literal.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(__lode_), arbitrary)
public macro Managed(_ key: StaticString) =
    #externalMacro(module: "LodeMacros", type: "ManagedMacro")
