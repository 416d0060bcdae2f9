// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The schema's type: the class has a type of the same name inside.
private typealias StoredType = AttributeType

/// An attribute of an entity.
///
/// ```swift
/// let score = NSAttributeDescription(name: "score", type: .integer32, defaultValue: 0)
/// score.validationRules = [.minimum(0), .maximum(100)]
/// player.properties.append(score)
/// ```
// SAFETY: as for the superclass: built on one thread, and setters trap once the model is in use.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    /// The type of the value.
    open var attributeType: NSAttributeType {
        get { stated.attributeType }
        set { edited.attributeType = newValue }
    }
    /// The value of a new object; converted to the attribute's type when the model is used.
    ///
    /// Of a transformable attribute any value that its transformer takes; the transformer has to be
    /// registered by then.
    open var defaultValue: Any? {
        get { stated.defaultValue }
        set { edited.defaultValue = newValue }
    }
    /// The name of the ``ValueTransformer`` of a transformable attribute.
    open var valueTransformerName: String? {
        get { stated.valueTransformerName }
        set { edited.valueTransformerName = newValue }
    }
    /// Whether values of any size may be kept outside the object's record.
    open var allowsExternalBinaryDataStorage: Bool {
        get { stated.allowsExternalBinaryDataStorage }
        set { edited.allowsExternalBinaryDataStorage = newValue }
    }
    /// The rules for values; nil satisfies all of them.
    open var validationRules: [ValidationRule] {
        get { stated.validationRules }
        set { edited.validationRules = newValue }
    }
    /// Whether a deletion's entry in the history keeps the value; for persistent history.
    open var preservesValueInHistoryOnDeletion: Bool {
        get { stated.preservesValueInHistoryOnDeletion }
        set { edited.preservesValueInHistoryOnDeletion = newValue }
    }
    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Stated {
        var attributeType = NSAttributeType.undefinedAttributeType
        var defaultValue: Any?
        var valueTransformerName: String?
        var allowsExternalBinaryDataStorage = false
        var validationRules: [ValidationRule] = []
        var preservesValueInHistoryOnDeletion = false
        var className: String?
    }
    private var stated = Stated()
    /// The same for setters: changing it traps once the model is in use.
    private var edited: Stated {
        get { stated }
        set {
            checkMutable()
            stated = newValue
        }
    }

    /// The name of the class of values: of a transformable attribute as it was set, otherwise as
    /// it follows from the type.
    open var attributeValueClassName: String? {
        get { stated.className ?? attributeType.valueClassName }
        set { edited.className = newValue }
    }

    /// The rules as predicates, then those that were set as such.
    open override var validationPredicates: [NSPredicate] {
        validationRules.map(\.predicate) + super.validationPredicates
    }

    /// The codes of the rules, then the warnings of the predicates that were set as such.
    open override var validationWarnings: [Any] {
        validationRules.map { $0.code.rawValue as Any } + super.validationWarnings
    }

    /// Sets the predicates that a value must satisfy; replaces the rules as well.
    open override func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [Any]?
    ) {
        validationRules = []
        super.setValidationPredicates(
            validationPredicates, withValidationWarnings: validationWarnings)
    }

    /// The attribute types under their short names.
    public struct AttributeType: Sendable, Hashable {
        let type: NSAttributeType
        /// `Int16`.
        public static let integer16 = AttributeType(type: .integer16AttributeType)
        /// `Int32`.
        public static let integer32 = AttributeType(type: .integer32AttributeType)
        /// `Int64`.
        public static let integer64 = AttributeType(type: .integer64AttributeType)
        /// `Decimal`.
        public static let decimal = AttributeType(type: .decimalAttributeType)
        /// `Double`.
        public static let double = AttributeType(type: .doubleAttributeType)
        /// `Float`.
        public static let float = AttributeType(type: .floatAttributeType)
        /// `String`.
        public static let string = AttributeType(type: .stringAttributeType)
        /// `Bool`.
        public static let boolean = AttributeType(type: .booleanAttributeType)
        /// `Date`.
        public static let date = AttributeType(type: .dateAttributeType)
        /// `Data`.
        public static let binaryData = AttributeType(type: .binaryDataAttributeType)
        /// `UUID`.
        public static let uuid = AttributeType(type: .UUIDAttributeType)
        /// `URL`.
        public static let uri = AttributeType(type: .URIAttributeType)
        /// Any value with a transformer.
        public static let transformable = AttributeType(type: .transformableAttributeType)
        /// ``NSManagedObjectID``.
        public static let objectID = AttributeType(type: .objectIDAttributeType)
        /// No type.
        public static let undefined = AttributeType(type: .undefinedAttributeType)
    }

    /// The type of the value, under its short name.
    open var type: AttributeType {
        get { AttributeType(type: attributeType) }
        set { attributeType = newValue.type }
    }

    /// Makes an unnamed attribute of undefined type.
    public override init() {
        super.init()
    }

    /// Makes an editable copy.
    required public init(copying other: NSPropertyDescription) {
        super.init(copying: other)
        guard let other = other as? NSAttributeDescription else { return }
        stated = other.stated
    }

    override func hasStructure(of other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSAttributeDescription else { return false }
        return super.hasStructure(of: other) && attributeType == other.attributeType
            && attributeValueClassName == other.attributeValueClassName
            && valueTransformerName == other.valueTransformerName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && StructuralEquality.equal(defaultValue, other.defaultValue)
    }

    /// The compiled form.
    func compiled() throws(ModelError) -> Attribute {
        guard let schemaType = attributeType.schemaType else {
            throw ModelError(
                "attribute \(entity.name ?? "").\(name) has no type; set attributeType")
        }
        if let rule = validationRules.first(where: { !$0.applies(to: schemaType) }) {
            throw ModelError(
                "the rule \(rule) does not apply to \(entity.name ?? "").\(name), which is "
                    + "\(schemaType)")
        }
        return Attribute(
            name: name, type: schemaType, isOptional: isOptional, isTransient: isTransient,
            defaultValue: try compiledDefault(schemaType), transformerName: valueTransformerName,
            allowsExternalStorage: allowsExternalBinaryDataStorage, renamingIdentifier: renamedFrom)
    }

    private func compiledDefault(_ type: StoredType) throws(ModelError) -> Value {
        guard let value = ValueConversion.unwrapped(defaultValue) else { return .null }
        let key = "\(entity.name ?? "").\(name)"
        if type == .transformable {
            return .transformable(
                try ValueTransformer.bytes(ofDefault: value, valueTransformerName, key))
        }
        guard let converted = ValueConversion.value(value, as: type) else {
            throw ModelError(
                "the default \(value) of \(key), of type \(Swift.type(of: value)), is no \(type)")
        }
        return converted
    }
}
