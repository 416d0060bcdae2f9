// SPDX-License-Identifier: Apache-2.0

/// Public properties must not rest on observers.
///
/// Swift calls none for what a convenience initialiser of an extension assigns, and programs write
/// such initialisers for classes of libraries. A computed property has its effect everywhere.
enum Observers {
    static func violations(in file: SourceFile) -> [Violation] {
        file.code.indices.filter { isObserved(file.code, at: $0) }.map {
            Violation(
                path: file.path, line: $0 + 1,
                text: "a public property with observers; make it a computed one")
        }
    }

    private static func isObserved(_ code: [String], at line: Int) -> Bool {
        let words = words(code[line])
        guard let place = words.firstIndex(of: "var"),
            words[..<place].contains(where: { $0 == "open" || $0 == "public" }),
            !words[..<place].contains(where: { $0.hasSuffix("(set)") })
        else { return false }
        return firstWordOfBody(code, from: line).map { $0 == "willSet" || $0 == "didSet" } ?? false
    }

    /// The word behind the brace that opens the body of a property; nil without a body.
    private static func firstWordOfBody(_ code: [String], from line: Int) -> Substring? {
        var isOpen = false
        for index in line..<min(line + 6, code.count) {
            var rest = Substring(code[index])
            if !isOpen {
                // The next declaration begins: the property has no body.
                let declares = words(code[index]).contains { ["var", "let", "func"].contains($0) }
                if index > line, declares { return nil }
                guard let brace = rest.firstIndex(of: "{") else { continue }
                isOpen = true
                rest = rest[brace...].dropFirst()
            }
            if let word = rest.split(whereSeparator: { !$0.isLetter }).first { return word }
        }
        return nil
    }

    private static func words(_ line: String) -> [Substring] {
        line.split { $0.isWhitespace || $0 == ":" }
    }
}
