// SPDX-License-Identifier: Apache-2.0

/// The words of a command line: `--name value` and `--name`.
struct FaultArguments {
    private var values: [String: String] = [:]
    /// Words that are no options and belong to none.
    private(set) var words: [String] = []

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let hasValue = rest.first.map { !$0.hasPrefix("--") } ?? false
            values[String(word.dropFirst(2))] = hasValue ? rest.removeFirst() : ""
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    func text(_ name: String) -> String? { values[name] }

    func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

    var names: Set<String> { Set(values.keys) }
}
