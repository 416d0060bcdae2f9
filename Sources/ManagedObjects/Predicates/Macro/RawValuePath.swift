// SPDX-License-Identifier: Apache-2.0

extension RawRepresentable {
    /// Whether a key path leads to the raw value, which is what an attribute holds.
    ///
    /// Swift does not tell one computed property from another, so several values are asked: all
    /// cases of an enumeration, and what a few raw values make of any other type.
    static func isRawValue(_ path: AnyKeyPath) -> Bool {
        guard let path = path as? KeyPath<Self, RawValue> else { return false }
        let values = rawValueSamples
        return !values.isEmpty
            && values.allSatisfy {
                guard let found = $0[keyPath: path] as? AnyHashable else { return false }
                return found == $0.rawValue as? AnyHashable
            }
    }

    private static var rawValueSamples: [Self] {
        if let listed = (Self.self as? any CaseIterable.Type)?.anyCases as? [Self], !listed.isEmpty
        {
            return listed
        }
        let cases = EnumerationMetadata.cases(of: Self.self)
        if !cases.isEmpty { return cases }
        let numbers = [0, 7, 1, 100].compactMap { number -> RawValue? in
            (RawValue.self as? any FixedWidthInteger.Type)?.init(exactly: number) as? RawValue
        }
        let texts = ["", " Ab\u{301}-\u{df}", "zY"].compactMap { $0 as? RawValue }
        let made = (numbers + texts).compactMap { Self(rawValue: $0) }
        // One value alone could equal its raw value's double, or its length.
        return made.count < 3 ? [] : made
    }
}

extension CaseIterable {
    fileprivate static var anyCases: [Self] { Array(allCases) }
}
