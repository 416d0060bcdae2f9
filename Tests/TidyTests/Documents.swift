// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the documents say of the package's files has to be so.
enum Documents {
    /// Paths and names of files in a document that do not exist.
    ///
    /// - Parameters:
    ///   - file: The document.
    ///   - paths: The paths of all files of the package.
    static func violations(in file: SourceFile, paths: Set<String>) -> [Violation] {
        let names = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
        var found: [Violation] = []
        for (index, line) in file.lines.enumerated() {
            func add(_ text: String) {
                found.append(
                    Violation(path: file.path, line: index + 1, text: "\(text) does not exist"))
            }
            for path in Self.paths(in: line) where !exists(path, paths) { add(path) }
            for name in fileNames(in: line) where !names.contains(name) { add(name) }
        }
        return found
    }

    /// The folders that the tables of a document list in their first column, with the lines.
    static func listedFolders(in file: SourceFile) -> [String: Int] {
        var found: [String: Int] = [:]
        for (index, line) in file.lines.enumerated() where line.hasPrefix("| `") {
            let cell = line.dropFirst(3).prefix { $0 != "`" }
            if cell.hasSuffix("/") { found[String(cell.dropLast())] = index + 1 }
        }
        return found
    }

    /// The folders below a folder, without those of articles.
    static func folders(in folder: String, _ paths: Set<String>) -> Set<String> {
        var found: Set<String> = []
        for path in paths where path.hasPrefix("\(folder)/") {
            let parts = path.dropFirst(folder.count + 1).split(separator: "/").dropLast()
            for count in parts.indices {
                found.insert(parts[...count].joined(separator: "/"))
            }
        }
        return found.filter { !$0.hasSuffix(".docc") }
    }

    /// The paths from the package's folder that a line has.
    static func paths(in line: Substring) -> [String] {
        let roots: Set<Substring> = ["Sources", "Tests", "Benchmarks", ".ci"]
        return line.split { !isOfPath($0) }
            .filter { word in
                let parts = word.split(separator: "/")
                return parts.count > 1 && parts.first.map(roots.contains) == true
            }
            .map { String(withoutEnd($0)) }
    }

    /// The names of files between backticks in a line.
    static func fileNames(in line: Substring) -> [String] {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
            .filter { text in
                !text.contains("/") && text.allSatisfy(isOfPath)
                    && [".swift", ".md"].contains { text.hasSuffix($0) && text != $0 }
            }
            .map(String.init)
    }

    private static func exists(_ path: String, _ paths: Set<String>) -> Bool {
        paths.contains(path) || paths.contains { $0.hasPrefix("\(path)/") }
    }

    private static func isOfPath(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "/._+-".contains(character)
    }

    /// A path without the full stop of its sentence and without a slash at its end.
    private static func withoutEnd(_ word: Substring) -> Substring {
        word.last == "." || word.last == "/" ? withoutEnd(word.dropLast()) : word
    }
}
