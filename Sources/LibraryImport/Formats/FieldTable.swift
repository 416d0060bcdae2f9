// SPDX-License-Identifier: Apache-2.0

/// The field names of a section, numbered in the order in which they appear.
///
/// Rows mostly repeat the keys of the row before, so readers first compare with the expected
/// field and look up only when that fails.
struct FieldTable {
    /// The names by field index.
    private(set) var names: [String] = []
    /// The names' bytes; empty for a name that JSON has to escape, as it cannot be compared with
    /// the bytes of a file.
    private(set) var plainNames: [[UInt8]] = []
    /// The field `fields`, which holds the columns of a Django fixture; -1 while unseen.
    private(set) var fieldsField = -1
    /// The field `model`, which may name the entity of a Django fixture; -1 while unseen.
    private(set) var modelField = -1
    /// The field `pk`, which may hold the key of a Django fixture; -1 while unseen.
    private(set) var keyField = -1
    private var indexes: [[UInt8]: Int] = [:]

    /// The count of names.
    var count: Int { names.count }

    /// The index of a name, a new one if the name is new.
    mutating func index(of name: [UInt8]) -> Int {
        if let known = indexes[name] { return known }
        let index = names.count
        indexes[name] = index
        let text = String(decoding: name, as: UTF8.self)
        names.append(text)
        if text == "fields" { fieldsField = index }
        if text == "model" { modelField = index }
        if text == "pk" { keyField = index }
        let isPlain = name.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
        plainNames.append(isPlain ? name : [])
        return index
    }

    /// The index of a name, `nil` if no row had it.
    func find(_ name: String) -> Int? {
        indexes[Array(name.utf8)]
    }
}
