// SPDX-License-Identifier: Apache-2.0

/// What keeps a world in a file.
package protocol WorldBacking: AnyObject {
    /// Shows the world what others have committed meanwhile.
    func didAdvance()
    /// A game object has left the world.
    func didDespawn(_ object: GameObjectID)
}

/// Where the columns of a world tell that they differ from the file.
final class ChangeNote {
    var body: (() -> Void)?
}

extension World {
    /// Calls a body whenever a column that was as in the file is changed.
    package func onFirstChange(_ body: @escaping () -> Void) { changeNote.body = body }
}
