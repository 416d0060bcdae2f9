// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What keeps a world in a file.
package protocol WorldBacking: AnyObject {
    /// Shows the world what others have committed meanwhile.
    func didAdvance()
    /// Takes care that rows up to one are never handed out anew.
    func reserveRows(upTo row: Int) throws
    /// Adjacent rows that are never handed out anew, at least so many.
    func takeRows(_ count: Int) throws -> Range<Int>
    /// Commands have a game object to come under an ID that another program has used meanwhile.
    func commandsShareID(ofRow row: Int)
    /// A game object has left the world.
    func didDespawn(_ object: GameObjectID)
    /// The world is about to go: no other thread may use it from now on.
    func worldEnds()
}

/// Where the columns of a world tell that they differ from the file.
final class ChangeNote {
    var body: (() -> Void)?
    /// Whether several threads run systems: they only leave word, and the last one to know tells.
    var isDeferred = false {
        didSet {
            if !isDeferred, isDue.exchange(false, ordering: .relaxed) { body?() }
        }
    }
    private let isDue = Atomic(false)

    func tell() {
        if isDeferred { isDue.store(true, ordering: .relaxed) } else { body?() }
    }
}

extension World {
    /// Calls a body whenever a column that was as in the file is changed.
    package func onFirstChange(_ body: @escaping () -> Void) { changeNote.body = body }
}
