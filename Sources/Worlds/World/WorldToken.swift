// SPDX-License-Identifier: Apache-2.0

/// Tells one world from another, also when it is gone.
final class WorldToken: Sendable {}
