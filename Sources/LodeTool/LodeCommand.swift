// SPDX-License-Identifier: Apache-2.0

import Lode

/// The `lode` command: picks a subcommand, runs it and turns its errors into exit statuses.
///
/// Statuses: 0 for success, 1 for an error, 2 for an import that rejected rows, 64 for a command
/// line that cannot be understood.
enum LodeCommand {
    /// The version that `lode --version` prints.
    static let version = "0.1.0"

    /// Runs the tool.
    /// - Parameter arguments: The command line without the program's name.
    static func run(arguments: [String], output: ToolOutput, error: ToolOutput) -> Int32 {
        do {
            let status = try dispatch(arguments, output, error)
            guard let failure = output.failure else { return status }
            error.text("lode: the output cannot be written: \(message(of: failure))")
            return 1
        } catch let usage as UsageError {
            error.text("lode: \(usage.message)")
            error.line(usage.hint)
            return 64
        } catch let failure {
            error.text("lode: \(message(of: failure))")
            return 1
        }
    }

    private static func dispatch(
        _ arguments: [String], _ output: ToolOutput, _ error: ToolOutput
    ) throws -> Int32 {
        guard let name = arguments.first else {
            throw UsageError("a command is missing", command: nil)
        }
        let rest = Array(arguments.dropFirst())
        if name != "help", rest.contains("--help") || rest.contains("-h") {
            return try HelpCommand.run([name], output)
        }
        switch name {
        case "create": return try CreateCommand(rest).run(output)
        case "import": return try ImportCommand(rest).run(output, error)
        case "inspect": return try InspectCommand(rest).run(output)
        case "query": return try QueryCommand(rest).run(output)
        case "migrate": return try MigrateCommand(rest).run(output)
        case "compact": return try CompactCommand(rest).run(output)
        case "demo": return try DemoCommand(rest).run(output)
        case "help", "--help", "-h": return try HelpCommand.run(rest, output)
        case "--version", "version":
            output.line("lode \(version)")
            return 0
        default: throw UsageError("there is no command \(name)", command: nil)
        }
    }

    private static func message(of error: any Error) -> String {
        if let error = error as? CocoaError { return error.message }
        return "\(error)"
    }
}
