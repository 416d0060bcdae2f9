// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// How the records of an entity get the layout that the entity has in another model.
public struct RecordConversion: Sendable {
    /// Where a field of the new layout comes from.
    public struct Origin: Sendable {
        /// The field's position in the former layout; nil for a new field.
        public let source: Int?
        /// The value where there is none.
        public let fallback: Value
        /// Whether the field has the destination of a to-one relationship.
        public let isLink: Bool

        /// Makes an origin.
        public init(source: Int?, fallback: Value = .null, isLink: Bool = false) {
            self.source = source
            self.fallback = fallback
            self.isLink = isLink
        }
    }

    /// The layout that the records have.
    public let former: RecordLayout
    /// The layout that they get.
    public let layout: RecordLayout
    /// The origins of the fields, by their positions in the new layout.
    public let fields: [Origin]

    /// Makes a conversion; a field has the type of its source.
    public init(from former: RecordLayout, to layout: RecordLayout, fields: [Origin]) {
        require(
            fields.count == layout.fields.count,
            "\(fields.count) origins for \(layout.fields.count) fields")
        for (field, origin) in zip(layout.fields, fields) {
            guard let source = origin.source else { continue }
            require(
                former.fields[source].type == field.type,
                "\(former.fields[source].type) does not become \(field.type)")
        }
        self.former = former
        self.layout = layout
        self.fields = fields
    }

    /// The positions of the former layout that no field comes from.
    public var leftOut: [Int] {
        let used = Set(fields.compactMap(\.source))
        return former.fields.indices.filter { !used.contains($0) }
    }
}

extension RecordView {
    /// Whether a field has a value whose bytes live outside the record.
    ///
    /// - Parameters:
    ///   - position: The field's position.
    ///   - layout: The layout of the record itself.
    public func isExternal(_ position: Int, in layout: RecordLayout) -> Bool {
        let field = layout.fields[position]
        return field.type.isVariableLength && !isNull(position)
            && heapBytes(at: field.offset) == nil
    }
}
