// SPDX-License-Identifier: Apache-2.0

/// The parts of a property declaration the macros look at.
struct PropertyDeclaration: Equatable {
    var name = Identifier("")
    /// Where the type begins.
    var typeRange = 0..<0
    var type = TypeText(tokens: [])
    /// Nil where the declaration leaves it to its surroundings.
    var access: AccessLevel?
    /// The level of `private(set)` and its like.
    var setterAccess: AccessLevel?
    var isOverride = false
    var isNonisolated = false

    /// The level of the methods that change the property.
    var mutatorAccess: AccessLevel? { setterAccess ?? access }
}
