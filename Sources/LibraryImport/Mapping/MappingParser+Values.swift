// SPDX-License-Identifier: Apache-2.0

import Schema

extension MappingParser {
    func members(
        _ tree: JSONTree, _ path: String
    ) throws(ImportError) -> [(key: String, value: JSONTree)] {
        guard case .object(let members) = tree.content else {
            throw expected("an object", tree, path)
        }
        return members
    }

    func string(_ tree: JSONTree, _ path: String) throws(ImportError) -> String {
        guard case .string(let text) = tree.content else { throw expected("a string", tree, path) }
        return text
    }

    func boolean(_ tree: JSONTree, _ path: String) throws(ImportError) -> Bool {
        guard case .boolean(let flag) = tree.content else {
            throw expected("true or false", tree, path)
        }
        return flag
    }

    func propertyName(_ tree: JSONTree, _ path: String) throws(ImportError) -> String {
        let name = try string(tree, path)
        guard PropertyName.isValid(name) else {
            throw bad(
                tree, path,
                "'\(name)' cannot name a property; use letters and digits, and no word that "
                    + "Swift, NSManagedObject or predicates use")
        }
        return name
    }

    func entityName(_ tree: JSONTree, _ path: String) throws(ImportError) -> String {
        let name = try string(tree, path)
        guard name.first?.isLetter == true,
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            throw bad(tree, path, "'\(name)' cannot name an entity; use letters and digits")
        }
        return name
    }

    func type(_ tree: JSONTree, _ path: String) throws(ImportError) -> AttributeType {
        let name = try string(tree, path)
        if let type = ImportedType.type(named: name) { return type }
        let names = ImportedType.all.map(ImportedType.name).joined(separator: ", ")
        throw bad(tree, path, "unknown type '\(name)'; expected one of \(names)")
    }

    func expected(_ what: String, _ tree: JSONTree, _ path: String) -> ImportError {
        bad(tree, path, "expected \(what), found \(tree.kind)")
    }

    func bad(_ tree: JSONTree, _ path: String, _ message: String) -> ImportError {
        ImportError(
            .badMapping, file: file, line: tree.place.line, column: tree.place.column,
            message: "\(path): \(message)")
    }
}
