// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// Pairs that a follower has related itself, and the leader as well, under other rows.
@Suite final class FollowerLinkTests: Following {
    private func targets(_ place: Int) -> [GameObjectID] {
        #expect(
            follower.query(Link<Likes>.self).count
                == ids.reduce(0) { $0 + follower.targets(of: $1, Likes.self).count })
        return follower.targets(of: ids[place], Likes.self)
    }

    @Test func a_pair_that_the_leader_ends_does_not_stay_under_the_row_of_the_follower() throws {
        follower.relate(ids[1], Likes.self, to: ids[2])
        follower.relate(ids[0], Likes.self, to: ids[1])
        leader.relate(ids[0], Likes.self, to: ids[1])
        try follow()
        #expect(targets(0) == [ids[1]])
        leader.advance()
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        try follow()
        #expect(targets(0) == [])
        #expect(targets(1) == [ids[2]])
    }

    @Test func a_pair_that_comes_in_another_row_is_not_kept_for_good() throws {
        follower.relate(ids[0], Likes.self, to: ids[1])
        leader.relate(ids[1], Likes.self, to: ids[2])
        leader.relate(ids[0], Likes.self, to: ids[1])
        try follow()
        #expect(targets(0) == [ids[1]])
        #expect(targets(1) == [ids[2]])
        leader.advance()
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        try follow()
        #expect(targets(0) == [])
        #expect(targets(1) == [ids[2]])
    }

    @Test func a_pair_that_ends_is_ended_also_where_the_follower_has_made_it_anew() throws {
        leader.relate(ids[0], Likes.self, to: ids[1])
        try follow()
        follower.unrelate(ids[0], Likes.self, from: ids[1])
        follower.relate(ids[0], Likes.self, to: ids[2])
        follower.relate(ids[0], Likes.self, to: ids[1])
        leader.advance()
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        try follow()
        #expect(targets(0) == [ids[2]])
    }

    @Test func a_pair_that_was_made_anew_stays_and_is_touched_once() throws {
        leader.relate(ids[0], Likes.self, to: ids[1])
        try follow()
        leader.advance()
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        leader.relate(ids[0], Likes.self, to: ids[1])
        try follow()
        #expect(targets(0) == [ids[1]])
        follower.advance()
        try follow()
        #expect(targets(0) == [ids[1]])
        #expect(follower.diff(since: follower.lastAdvance).isEmpty)
    }

    /// Both copies have related the pair, and the leader gets the second one's as that of the row.
    @Test func followers_of_a_world_that_moves_a_link_have_it_once() throws {
        let (first, second) = (leader.copy(), leader.copy())
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[2])
        second.relate(ids[0], Likes.self, to: ids[1])
        let (one, two) = (first.diff(from: leader), second.diff(from: leader))
        try leader.apply(one)
        try follow()
        leader.advance()
        try leader.apply(two)
        #expect(leader.targets(of: ids[0], Likes.self) == [ids[1], ids[2]])
        #expect(leader.query(Link<Likes>.self).count == 2)
        try follow()
        #expect(targets(0) == [ids[1], ids[2]])
        leader.advance()
        leader.unrelate(ids[0], Likes.self)
        try follow()
        #expect(targets(0) == [])
    }
}
