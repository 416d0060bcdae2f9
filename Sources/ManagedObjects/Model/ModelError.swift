// SPDX-License-Identifier: Apache-2.0

/// A model that cannot be used, with the entity and property at fault.
///
/// A wrong model is a programmer error in Core Data's terms: a coordinator traps with this text.
public struct ModelError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
