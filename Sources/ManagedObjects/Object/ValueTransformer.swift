// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Traps

/// The name of a value transformer.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Turns the values of transformable attributes into data and back.
///
/// ```swift
/// final class WordsTransformer: ValueTransformer {
///     override func transformedValue(_ value: Any?) -> Any? {
///         (value as? [String]).map { Data($0.joined(separator: " ").utf8) }
///     }
///     override func reverseTransformedValue(_ value: Any?) -> Any? {
///         (value as? Data).map { data in
///             String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init)
///         }
///     }
/// }
/// ValueTransformer.setValueTransformer(
///     WordsTransformer(), forName: NSValueTransformerName("WordsTransformer"))
/// words.valueTransformerName = "WordsTransformer"
/// ```
///
/// Register one under the name that the model gives to the attribute, or use one that is there: a
/// ``CodableValueTransformer``, or ``NSSecureUnarchiveFromDataTransformer`` by its name. An
/// attribute without a name takes `Data` only.
open class ValueTransformer: NSObject {
    // Guards the table, which contexts of any queue read.
    private static let registered = Mutex<[String: UncheckedTransfer<ValueTransformer>]>([:])

    /// Makes a transformer that passes values on.
    public override init() {
        super.init()
    }

    /// Makes a transformer known under a name.
    public class func setValueTransformer(
        _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
        // SAFETY: the mutex guards the table. Contexts of any queue call what is in it, and the
        // program registers only transformers that allow that.
        let entry = transformer.map { UncheckedTransfer($0) }
        registered.withLock { $0[name.rawValue] = entry }
    }

    /// The transformer of a name.
    public class func transformer(forName name: NSValueTransformerName) -> ValueTransformer? {
        if let found = registered.withLock({ $0[name.rawValue] }) { return found.value }
        // Core Data finds the second one as a class, and Xcode's warnings ask for it.
        let isSecure =
            name == .secureUnarchiveFromDataTransformerName
            || name.rawValue == "NSSecureUnarchiveFromDataTransformer"
        return isSecure ? secureUnarchive.value : nil
    }

    // SAFETY: it has no state.
    private static let secureUnarchive = UncheckedTransfer<ValueTransformer>(
        NSSecureUnarchiveFromDataTransformer())

    /// The names that transformers are registered under, in no order.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        registered.withLock { $0.keys.map { NSValueTransformerName($0) } }
    }

    /// The class of what ``transformedValue(_:)`` gives; `NSObject` unless overridden.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether ``reverseTransformedValue(_:)`` gives back what was transformed; true.
    ///
    /// An attribute needs that: setting a value traps without.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The value as `Data`.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value of `Data`.
    open func reverseTransformedValue(_ value: Any?) -> Any? { value }
}

extension ValueTransformer {
    /// The transformer that is registered under a name; nil for none.
    public convenience init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.transformer(forName: name) as? Self else { return nil }
        self.init(_made: found)
    }
}

extension ValueTransformer {
    /// The stored form of a value; traps if its transformer makes no data of it.
    static func encode(_ value: Any, _ field: FieldRuntime, _ entity: String) -> [UInt8] {
        guard let bytes = bytes(of: value, field, entity) else {
            trap(
                "\(entity).\(field.name) cannot hold \(value) of type \(Swift.type(of: value)): "
                    + (field.attribute?.transformerName.map { "its transformer \($0)" }
                        ?? "an attribute without transformer takes Data and")
                    + " makes no Data of it")
        }
        return bytes
    }

    /// The stored form of a value; `nil` where its transformer makes no data of it.
    static func bytes(of value: Any, _ field: FieldRuntime, _ entity: String) -> [UInt8]? {
        bytes(of: value, field.attribute?.transformerName, "\(entity).\(field.name)")
    }

    private static func bytes(of value: Any, _ name: String?, _ key: String) -> [UInt8]? {
        if let name {
            guard let transformer = transformer(forName: NSValueTransformerName(name)) else {
                trap(
                    "\(key) needs the transformer \(name); register it with "
                        + "ValueTransformer.setValueTransformer(_:forName:)")
            }
            require(
                Swift.type(of: transformer).allowsReverseTransformation(),
                "\(key) could not be read again: the transformer \(name) allows "
                    + "no reverse transformation; override allowsReverseTransformation()")
            if let data = transformer.transformedValue(value) as? Data { return Array(data) }
        }
        return (value as? Data).map { Array($0) }
    }

    /// The stored form of a default.
    ///
    /// Data without a registered transformer is taken as what the transformer would make: so it is
    /// in a model that was read from a file.
    static func bytes(
        ofDefault value: Any, _ name: String?, _ key: String
    ) throws(ModelError) -> [UInt8] {
        let isKnown = name.map { transformer(forName: NSValueTransformerName($0)) != nil } ?? true
        if !isKnown, let data = value as? Data { return Array(data) }
        guard isKnown else {
            throw ModelError(
                "the default \(value) of \(key) needs the transformer \(name ?? ""); register it "
                    + "with ValueTransformer.setValueTransformer(_:forName:) before the model is "
                    + "used")
        }
        guard let bytes = bytes(of: value, name, key) else {
            throw ModelError(
                "the default \(value) of \(key), of type \(Swift.type(of: value)), cannot be "
                    + "stored: "
                    + (name.map { "the transformer \($0) makes no Data of it" }
                        ?? "set valueTransformerName, or use Data"))
        }
        return bytes
    }

    static func decode(_ bytes: [UInt8], _ field: FieldRuntime) -> Any? {
        decode(bytes, field.attribute?.transformerName)
    }

    static func decode(_ bytes: [UInt8], _ name: String?) -> Any? {
        guard let name,
            let transformer = transformer(forName: NSValueTransformerName(name))
        else { return Data(bytes) }
        return transformer.reverseTransformedValue(Data(bytes))
    }
}
