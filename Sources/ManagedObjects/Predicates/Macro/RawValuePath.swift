// SPDX-License-Identifier: Apache-2.0

extension RawRepresentable {
    /// Whether a key path leads to the raw value, which is what an attribute holds.
    ///
    /// Swift does not tell one computed property from another. All cases of an enumeration can be
    /// asked. Of other types only a stored property that fills the whole value is taken: what is
    /// computed may equal the raw value for any few samples, and differ for others.
    static func isRawValue(_ path: AnyKeyPath) -> Bool {
        guard let path = path as? KeyPath<Self, RawValue> else { return false }
        let cases = listedCases
        if !cases.isEmpty { return cases.allSatisfy { isRawValue(path, of: $0) } }
        guard MemoryLayout<Self>.offset(of: path) == 0,
            MemoryLayout<Self>.size == MemoryLayout<RawValue>.size
        else { return false }
        // The property may hold something else of the type of raw values, such as their negatives.
        let made = rawValueSamples
        return made.count > 1 && made.allSatisfy { isRawValue(path, of: $0) }
    }

    private static func isRawValue(_ path: KeyPath<Self, RawValue>, of value: Self) -> Bool {
        guard let found = value[keyPath: path] as? AnyHashable else { return false }
        return found == value.rawValue as? AnyHashable
    }

    /// All cases of an enumeration; empty for types of which they are not known.
    private static var listedCases: [Self] {
        if let listed = (Self.self as? any CaseIterable.Type)?.anyCases as? [Self], !listed.isEmpty
        {
            return listed
        }
        return EnumerationMetadata.cases(of: Self.self)
    }

    private static var rawValueSamples: [Self] {
        let numbers = [0, 7, 1, 100].compactMap { number -> RawValue? in
            (RawValue.self as? any FixedWidthInteger.Type)?.init(exactly: number) as? RawValue
        }
        let texts = ["", " Ab\u{301}-\u{df}", "zY"].compactMap { $0 as? RawValue }
        return (numbers + texts).compactMap { Self(rawValue: $0) }
    }
}

extension CaseIterable {
    fileprivate static var anyCases: [Self] { Array(allCases) }
}
