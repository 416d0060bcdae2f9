// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// The keys of a further file, and what a coordinator's contexts call them.
struct KeyTranslation: Sendable {
    let tag: Int
    /// The file's numbers by the ordinals of the coordinator's model; `nil` for entities that the
    /// file does not have.
    private let numbers: [EntityNumber?]
    private let ordinals: [EntityNumber: Int]

    init(tag: Int, _ model: CompiledModel, _ file: Store) {
        self.tag = tag
        numbers = model.runtimes.map { file.table(named: $0.entity.name)?.number }
        var ordinals: [EntityNumber: Int] = [:]
        for (ordinal, number) in numbers.enumerated() {
            if let number { ordinals[number] = ordinal }
        }
        self.ordinals = ordinals
    }

    /// What no object has.
    static var nobody: ObjectKey { ObjectKey(rawValue: .max) }

    /// The file's key; temporary keys are the same everywhere, and a key of another store is
    /// nobody's.
    func inner(_ key: ObjectKey) -> ObjectKey {
        if key.isTemporary { return key }
        guard key.tag == tag, let number = numbers[safe: key.ordinalElsewhere].flatMap({ $0 })
        else {
            return KeyTranslation.nobody
        }
        return ObjectKey(entity: number, row: key.plainRow)
    }

    /// The contexts' key; `nil` for an entity that the coordinator's model does not have.
    func outer(_ key: ObjectKey) -> ObjectKey? {
        if key.isTemporary { return key }
        return ordinals[key.entity].map { ObjectKey(tag: tag, ordinal: $0, row: key.row) }
    }

    /// A copy of values with the contexts' keys.
    func outer(_ values: InheritedValues, _ runtime: EntityRuntime) -> InheritedValues {
        let view = values.record.view
        var bytes = Array(view.bytes)
        // The layout number is the file's business; the slots are the same in all files.
        (bytes[0], bytes[1]) = (0, 0)
        for (position, field) in runtime.layout.fields.enumerated()
        where field.type == .objectID && !view.isNull(position) {
            let key = ObjectKey(rawValue: view.load(at: field.offset, as: UInt64.self))
            let new = outer(key) ?? KeyTranslation.nobody
            withUnsafeBytes(of: new.rawValue.littleEndian) { source in
                for (index, byte) in source.enumerated() { bytes[field.offset + index] = byte }
            }
        }
        let record = bytes.withUnsafeBytes { RecordView($0).map { OwnedRecord($0) } }
        guard let record else { preconditionFailure("a record of \(bytes.count) bytes") }
        return InheritedValues(record: record, largeValues: values.largeValues)
    }

    /// A value with the file's keys.
    func inner(_ value: Value) -> Value {
        if case .objectID(let key) = value { .objectID(inner(key)) } else { value }
    }
}

extension PredicateTree {
    /// The tree with other keys in the place of those in its constants.
    func replacingKeys(_ replace: (ObjectKey) -> ObjectKey) -> PredicateTree {
        switch self {
        case .constant: self
        case .not(let operand): .not(operand.replacingKeys(replace))
        case .and(let members): .and(members.map { $0.replacingKeys(replace) })
        case .or(let members): .or(members.map { $0.replacingKeys(replace) })
        case .comparison(let old):
            .comparison(
                Comparison(
                    left: old.left.replacingKeys(replace), operator: old.operator,
                    right: old.right.replacingKeys(replace), modifier: old.modifier,
                    options: old.options))
        }
    }
}

extension Predicates.Expression {
    fileprivate func replacingKeys(
        _ replace: (ObjectKey) -> ObjectKey
    ) -> Predicates.Expression {
        switch self {
        case .constant(let operand): .constant(operand.replacingKeys(replace))
        case .evaluatedObject, .variable, .keyPath: self
        case .member(let base, let keys): .member(of: base.replacingKeys(replace), keys)
        case .aggregate(let members): .aggregate(members.map { $0.replacingKeys(replace) })
        case .function(let name, let arguments):
            .function(name, arguments.map { $0.replacingKeys(replace) })
        case .subquery(let collection, let variable, let predicate):
            .subquery(
                collection.replacingKeys(replace), variable: variable,
                predicate.replacingKeys(replace))
        case .conditional(let predicate, let first, let second):
            .conditional(
                predicate.replacingKeys(replace), first.replacingKeys(replace),
                second.replacingKeys(replace))
        }
    }
}

extension Operand {
    fileprivate func replacingKeys(_ replace: (ObjectKey) -> ObjectKey) -> Operand {
        switch self {
        case .value(.objectID(let key)): .value(.objectID(replace(key)))
        case .value: self
        case .list(let members): .list(members.map { $0.replacingKeys(replace) })
        }
    }
}
