// SPDX-License-Identifier: Apache-2.0

import Lode

@main
struct Main {
    static func main() {
        CrashMessage.install()
        Interruption.install()
        let output = ToolOutput.standard(FileHandle.standardOutput)
        let error = ToolOutput.standard(FileHandle.standardError)
        let status = LodeCommand.run(
            arguments: Array(CommandLine.arguments.dropFirst()), output: output, error: error)
        exit(status)
    }
}
