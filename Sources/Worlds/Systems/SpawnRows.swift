// SPDX-License-Identifier: Apache-2.0

/// The rows that commands give the game objects that they spawn.
///
/// An ID has to be valid before the sync point, and the same on one thread as on several. So each
/// system has rows of its own, which are taken from the world in the order of the schedule: before
/// the systems start, as many as the system needed in its last run. One that needs more waits
/// until all systems in front of it have ended, and so takes them in that order as well. What a
/// run leaves is used by the next one, but for rows that game objects of others have or had
/// meanwhile: an ID is never used again, also when such an object has gone since.
@usableFromInline
struct SpawnRows {
    private var current = 0..<0
    private var following = 0..<0
    private var used = 0
    private var wanted = 0
    /// The rows that are taken at once when a run needs more than the last one.
    private static let block = 16

    @usableFromInline init() {}

    /// Takes the rows that the next run probably needs.
    mutating func reserve(from world: World) {
        wanted = used
        used = 0
        guard following.isEmpty, current.count < wanted else { return }
        following = SpawnRows.take(wanted - current.count, world)
    }

    /// Takes a row.
    ///
    /// - Parameters:
    ///   - world: The world.
    ///   - turn: Waits until the rows of the world may be taken.
    mutating func next(_ world: World, _ turn: () -> Void) -> Int {
        used += 1
        if current.isEmpty {
            if following.isEmpty {
                turn()
                following = SpawnRows.take(max(SpawnRows.block, used), world)
            }
            current = following
            following = 0..<0
        }
        let row = current.lowerBound
        current = row + 1..<current.upperBound
        return row
    }

    /// Gives up reserved rows up to the last one that a game object of others has.
    mutating func skip(where isTaken: (Int) -> Bool) {
        current = SpawnRows.rest(of: current, isTaken)
        following = SpawnRows.rest(of: following, isTaken)
    }

    private static func rest(of rows: Range<Int>, _ isTaken: (Int) -> Bool) -> Range<Int> {
        guard let last = rows.last(where: isTaken) else { return rows }
        return last + 1..<rows.upperBound
    }

    private static func take(_ count: Int, _ world: World) -> Range<Int> {
        // The last rows that were promised come before others, whose reservation takes a commit.
        let isPromised = world.rows.promised > 0
        let count = isPromised ? min(count, max(world.rows.left, 1)) : count
        let first = world.takeRows(count)
        return first..<first + count
    }
}
