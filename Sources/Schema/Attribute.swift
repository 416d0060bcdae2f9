// SPDX-License-Identifier: Apache-2.0

/// One attribute of an entity.
public struct Attribute: Sendable, Hashable {
    /// The attribute's name, unique among the properties of its entity.
    public var name: String
    /// The stored type.
    public var type: AttributeType
    /// Whether a save accepts an object without a value.
    public var isOptional: Bool
    /// Whether the value is kept in memory only and never written.
    public var isTransient: Bool
    /// The value of a new object; `null` for none.
    public var defaultValue: Value
    /// The name of the transformer of a `transformable` attribute.
    public var transformerName: String?
    /// Whether even small binary values live outside the record.
    public var allowsExternalStorage: Bool
    /// The name under which earlier versions of the model knew the attribute.
    public var renamingIdentifier: String?

    /// Makes an attribute; the defaults are those of Core Data's descriptions.
    public init(
        name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        defaultValue: Value = .null, transformerName: String? = nil,
        allowsExternalStorage: Bool = false, renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.defaultValue = defaultValue
        self.transformerName = transformerName
        self.allowsExternalStorage = allowsExternalStorage
        self.renamingIdentifier = renamingIdentifier
    }
}
