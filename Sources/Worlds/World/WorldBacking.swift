// SPDX-License-Identifier: Apache-2.0

/// What keeps a world in a file.
package protocol WorldBacking: AnyObject {
    /// Shows the world what others have committed meanwhile.
    func didAdvance()
    /// A game object has left the world.
    func didDespawn(_ object: GameObjectID)
}
