// SPDX-License-Identifier: Apache-2.0

extension RawRepresentable {
    /// Whether a key path leads to the raw value, which is what an attribute holds.
    ///
    /// Swift does not tell one computed property from another, so each case is asked; those of a
    /// type that does not list them are not known.
    static func isRawValue(_ path: AnyKeyPath) -> Bool {
        guard let path = path as? KeyPath<Self, RawValue>,
            let cases = (Self.self as? any CaseIterable.Type)?.anyCases as? [Self], !cases.isEmpty
        else { return false }
        return cases.allSatisfy {
            guard let found = $0[keyPath: path] as? AnyHashable else { return false }
            return found == $0.rawValue as? AnyHashable
        }
    }
}

extension CaseIterable {
    fileprivate static var anyCases: [Self] { Array(allCases) }
}
