// SPDX-License-Identifier: Apache-2.0

/// The compiler plugin: a process the compiler starts once and asks to expand
/// macros until it closes standard input.
@main
struct Main {
    static func main() {
        let channel = MessageChannel(input: 0, output: 1)
        let handler = MessageHandler(macros: ["ManagedMacro": ManagedMacro.self])
        while let message = channel.receive() {
            guard channel.send(handler.reply(to: message)) else { return }
        }
    }
}
