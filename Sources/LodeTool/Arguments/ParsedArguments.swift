// SPDX-License-Identifier: Apache-2.0

/// The arguments of a subcommand, taken apart: positional ones, options with values, and flags.
///
/// Options are written `--name value` or `--name=value`; after `--` everything is positional.
struct ParsedArguments {
    private(set) var positional: [String] = []
    private let command: String
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// Takes a command line apart.
    /// - Throws: ``UsageError`` for unknown, repeated and incomplete options.
    init(
        _ arguments: [String], command: String, options: Set<String>, flags known: Set<String>
    ) throws(UsageError) {
        self.command = command
        var index = 0
        var isLiteral = false
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            guard !isLiteral, argument.hasPrefix("--") else {
                guard isLiteral || !argument.hasPrefix("-") || argument == "-" else {
                    throw UsageError("\(command) has no option \(argument)", command: command)
                }
                positional.append(argument)
                continue
            }
            if argument == "--" {
                isLiteral = true
                continue
            }
            let parts = argument.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if known.contains(name), parts.count == 1 {
                flags.insert(name)
                continue
            }
            guard options.contains(name) else {
                throw UsageError("\(command) has no option --\(name)", command: command)
            }
            guard values[name] == nil else {
                throw UsageError("--\(name) is given twice", command: command)
            }
            if parts.count == 2 {
                values[name] = String(parts[1])
            } else if index < arguments.count {
                values[name] = arguments[index]
                index += 1
            } else {
                throw UsageError("--\(name) needs a value", command: command)
            }
        }
    }

    /// Whether a flag is given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option.
    func value(_ option: String) -> String? { values[option] }

    /// The value of an option that must be given.
    func required(_ option: String) throws(UsageError) -> String {
        guard let value = values[option] else {
            throw UsageError("--\(option) is missing", command: command)
        }
        return value
    }

    /// The value of an option as a number that is not negative.
    func number(_ option: String) throws(UsageError) -> Int? {
        guard let text = values[option] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw UsageError("--\(option) takes a number from 0, not \(text)", command: command)
        }
        return number
    }

    /// Throws unless there are so many positional arguments.
    func expect(_ names: String..., optional: Int = 0) throws(UsageError) {
        if positional.count < names.count - optional {
            throw UsageError("\(names[positional.count]) is missing", command: command)
        }
        if positional.count > names.count {
            throw UsageError(
                "there is no use for \(positional[names.count])", command: command)
        }
    }
}
