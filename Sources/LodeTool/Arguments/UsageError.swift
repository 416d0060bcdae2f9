// SPDX-License-Identifier: Apache-2.0

/// A command line that cannot be understood.
struct UsageError: Error {
    /// What is wrong.
    let message: String
    private let command: String?

    init(_ message: String, command: String?) {
        self.message = message
        self.command = command
    }

    /// How the command is used.
    var hint: String {
        command.flatMap { HelpCommand.usages[$0] }.map { "usage: \($0)" } ?? HelpCommand.overview
    }
}
