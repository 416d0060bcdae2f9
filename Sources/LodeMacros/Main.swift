// SPDX-License-Identifier: Apache-2.0

import MacroExpansion

/// The compiler plugin: a process the compiler starts once and asks to expand
/// macros until it closes standard input.
@main
struct Main {
    static func main() { CompilerPlugin.run() }
}
