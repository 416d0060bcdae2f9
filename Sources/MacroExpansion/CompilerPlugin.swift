// SPDX-License-Identifier: Apache-2.0

/// The compiler plugin's whole life.
///
/// It is a library of its own because tests that link a macro target directly are built for the
/// compiler's side, where executables such as the tool cannot be imported.
package enum CompilerPlugin {
    /// Expands macros until the compiler closes standard input.
    package static func run() {
        let channel = MessageChannel(input: 0, output: 1)
        let handler = MessageHandler(macros: ["ManagedMacro": ManagedMacro.self])
        while let message = channel.receive() {
            guard channel.send(handler.reply(to: message)) else { return }
        }
    }
}
