// SPDX-License-Identifier: Apache-2.0

/// Two values are equal when they have the same case and the same payload.
///
/// Numbers of different types are never equal here; predicates compare across types with
/// their own rules. Strings compare by their scalars' bytes, the way a record stores them,
/// and floating point numbers by bit pattern, so that a NaN equals itself.
extension Value: Hashable {
    /// Whether both sides hold the same type and the same stored bytes.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer16(let a), .integer16(let b)): a == b
        case (.integer32(let a), .integer32(let b)): a == b
        case (.integer64(let a), .integer64(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.boolean(let a), .boolean(let b)): a == b
        case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.binaryData(let a), .binaryData(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.uri(let a), .uri(let b)): a.hasSameBytes(as: b)
        case (.transformable(let a), .transformable(let b)): a == b
        case (.objectID(let a), .objectID(let b)): a == b
        default: false
        }
    }

    /// Feeds the stored bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .null: break
        case .integer16(let value): hasher.combine(value)
        case .integer32(let value): hasher.combine(value)
        case .integer64(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .double(let value), .date(let value): hasher.combine(value.bitPattern)
        case .float(let value): hasher.combine(value.bitPattern)
        // Texts of the same bytes are equal to Swift, too.
        case .string(let value), .uri(let value): hasher.combine(value)
        case .boolean(let value): hasher.combine(value)
        case .binaryData(let value), .transformable(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .objectID(let value): hasher.combine(value)
        }
    }
}

extension String {
    /// Whether two texts have the same bytes; Swift's `==` takes more for equal.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        let (own, others) = (utf8, other.utf8)
        guard own.count == others.count else { return false }
        // Native texts have their bytes in one piece, which is compared faster.
        let result = own.withContiguousStorageIfAvailable { own in
            others.withContiguousStorageIfAvailable { own.elementsEqual($0) }
        }
        return (result ?? nil) ?? own.elementsEqual(others)
    }
}
