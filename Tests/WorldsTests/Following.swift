// SPDX-License-Identifier: Apache-2.0

import Worlds

/// A world of three game objects, and a copy that follows it by changes.
class Following {
    let leader = World()
    let ids: GameObjectIDs
    let follower: World

    init() {
        ids = leader.spawnAll(count: 3)
        follower = leader.copy()
    }

    /// Applies what the leader has done in the tick.
    func follow() throws {
        try follower.apply(
            try WorldChanges(bytes: leader.diff(since: leader.lastAdvance).bytes))
    }
}
