// SPDX-License-Identifier: Apache-2.0

import Traps

/// What a column has to know of its type: name, size and fields.
///
/// Two types with the same fields at the same places are the same for a file. So a file notices a
/// structure that got another field, or an enumeration with another case, and does not read old
/// bytes as new ones. Files of earlier versions do not know the cases: they learn them by the next
/// save.
public struct ComponentType: Sendable, Hashable {
    /// The name in files.
    public let name: String
    /// The bytes of a value without padding at its end.
    public let size: Int
    /// The distance of two values in bytes; 0 for a tag.
    public let stride: Int
    /// The alignment in bytes.
    public let alignment: Int
    /// The fields with offset and type, such as `x:Float@0 y:Float@4`; behind the name of an
    /// enumeration its cases, `hue:Hue{red,green}@8`.
    public let fields: String
    /// What the rows of the column stand for.
    package let kind: ColumnKind
    /// Whether values are keys of contents.
    package let isCoded: Bool
    /// What copies have to know of the fields.
    let copyFacts: CopyFacts

    /// Makes a description from its parts, as a file keeps them.
    package init(
        name: String, size: Int, stride: Int, alignment: Int, fields: String,
        kind: ColumnKind = .component, isCoded: Bool = false
    ) {
        self.name = name
        self.size = size
        self.stride = stride
        self.alignment = alignment
        self.fields = fields
        self.kind = kind
        self.isCoded = isCoded
        copyFacts = CopyFacts(fields: fields, size: size, isCoded: isCoded)
    }

    /// The description of a Swift type.
    public init<C: StoredComponent>(_ type: C.Type) {
        let size = MemoryLayout<C>.size
        let isCoded = C.__coder != nil
        var fields = isCoded ? [] : TypeSignature.fields(of: type)
        // The fields of a resource are those of its value.
        if C.__kind == .resource { fields = fields.map { String($0.dropFirst("value.".count)) } }
        self.init(
            name: C.componentName, size: size, stride: size == 0 ? 0 : MemoryLayout<C>.stride,
            alignment: MemoryLayout<C>.alignment,
            fields: fields.joined(separator: " "), kind: C.__kind, isCoded: isCoded)
        if stride > ChunkLayout.greatestStride {
            trap(
                "component \(name) has \(stride) bytes; a value component has at most "
                    + "\(ChunkLayout.greatestStride), so divide it or use a managed object")
        }
    }

    /// Where the chunks of the column have what.
    package var layout: ChunkLayout { ChunkLayout(stride: stride, isSingle: kind == .resource) }

    /// Why a program cannot have a type of the name, in a column of its own; nil if it can.
    package var nameObstacle: String? {
        guard kind != .resource, name.hasPrefix(World.resourcePrefix) else { return nil }
        let (what, property) =
            kind == .component
            ? ("component", "componentName") : ("relationship", "relationshipName")
        return "the \(what) \(name) has the name of the resource "
            + "\(name.dropFirst(World.resourcePrefix.count)); give the type another \(property)"
    }

    /// The description that a file keeps of a component that a migration has made another one.
    ///
    /// It has no values. So a program that knows the component alone does not begin a new one.
    package init(_ name: String, replacedBy successor: String) {
        self.init(
            name: name, size: 0, stride: 0, alignment: 1,
            fields: ComponentType.successorPrefix + successor)
    }

    private static let successorPrefix = "replaced by "

    /// The name of the component that a migration has made of this one; nil for any other.
    package var successor: String? {
        guard stride == 0, fields.hasPrefix(ComponentType.successorPrefix) else { return nil }
        return String(fields.dropFirst(ComponentType.successorPrefix.count))
    }

    /// Why a program cannot have a component that a migration has made another one; nil if it can.
    package var successorObstacle: String? {
        successor.map {
            "another program has made the component \(name) \($0) by a migration; use a version of "
                + "the program that has \($0), or give the world a ColumnMigration with \(name)"
        }
    }

    /// The number of kind and coding in files.
    package var kindCode: UInt16 { kind.code | (isCoded ? ComponentType.codedBit : 0) }

    /// The bit of relationships that are exclusive, and of other kinds whose values are coded.
    private static let codedBit: UInt16 = 4

    /// Kind and coding of a number; nil for one that is none.
    package static func kind(ofCode code: UInt16) -> (kind: ColumnKind, isCoded: Bool)? {
        let isCoded = code == codedBit || code == codedBit | ColumnKind.resource.code
        return ColumnKind(code: isCoded ? code & ~codedBit : code).map { ($0, isCoded) }
    }

    /// Whether values of both types are the same bytes; the rules of a relationship may differ.
    ///
    /// Where one of them lacks the details of enumerations, the names have to do.
    package func isStored(as other: ComponentType) -> Bool {
        name == other.name && size == other.size && stride == other.stride
            && alignment == other.alignment && isCoded == other.isCoded
            && kind.isStored(as: other.kind) && TypeSignature.agree(fields, other.fields)
    }

    /// A description that says of the layout what either of two does, which agree.
    ///
    /// - Parameter other: One whose details are taken over where this one has none.
    package func with(detailsOf other: ComponentType) -> ComponentType {
        guard !TypeSignature.hasDetails(fields), TypeSignature.hasDetails(other.fields),
            isStored(as: other)
        else { return self }
        return ComponentType(
            name: name, size: size, stride: stride, alignment: alignment, fields: other.fields,
            kind: kind, isCoded: isCoded)
    }
}

extension ComponentType: CustomStringConvertible {
    /// Name, size and fields, and what a relationship is.
    public var description: String {
        switch kind {
        case .component where isCoded: "\(name) (a codable component)"
        case .resource where isCoded: "\(name) (a codable resource)"
        case .component: "\(name) (\(size) bytes: \(fields))"
        case .resource: "\(name) (a resource of \(size) bytes: \(fields))"
        case .relationship(let rules):
            "\(name) (\(rules.isExclusive ? "an exclusive" : "a") relationship)"
        }
    }
}
