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
/// Register one under the name that the model gives to the attribute. An attribute without a name
/// takes `Data` only: Linux has no archiver that takes any object.
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
        let entry = transformer.map { UncheckedTransfer($0) }
        registered.withLock { $0[name.rawValue] = entry }
    }

    /// The transformer of a name.
    public class func transformer(forName name: NSValueTransformerName) -> ValueTransformer? {
        registered.withLock { $0[name.rawValue] }?.value
    }

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

/// Lets a convenience initialiser return an object of a subclass.
private protocol TransformerFactory {}

extension TransformerFactory {
    fileprivate init(_factory make: () -> Self) { self = make() }
}

extension ValueTransformer: TransformerFactory {}

extension ValueTransformer {
    /// The transformer that is registered under a name; nil for none.
    public convenience init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.transformer(forName: name) as? Self else { return nil }
        self.init(_factory: { found })
    }
}

extension ValueTransformer {
    static func encode(_ value: Any, _ field: FieldRuntime, _ entity: String) -> [UInt8] {
        if let name = field.attribute?.transformerName {
            guard let transformer = transformer(forName: NSValueTransformerName(name)) else {
                trap(
                    "\(entity).\(field.name) needs the transformer \(name); register it with "
                        + "ValueTransformer.setValueTransformer(_:forName:)")
            }
            require(
                Swift.type(of: transformer).allowsReverseTransformation(),
                "\(entity).\(field.name) could not be read again: the transformer \(name) allows "
                    + "no reverse transformation; override allowsReverseTransformation()")
            if let data = transformer.transformedValue(value) as? Data { return Array(data) }
        }
        guard let data = value as? Data else {
            trap(
                "\(entity).\(field.name) cannot hold \(value): its transformer makes no Data of it")
        }
        return Array(data)
    }

    static func decode(_ bytes: [UInt8], _ field: FieldRuntime) -> Any? {
        guard let name = field.attribute?.transformerName,
            let transformer = transformer(forName: NSValueTransformerName(name))
        else { return Data(bytes) }
        return transformer.reverseTransformedValue(Data(bytes))
    }
}
