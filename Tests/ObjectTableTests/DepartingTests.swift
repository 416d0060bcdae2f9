// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@testable import ObjectTable

/// Objects whose last reference goes on another thread than the registry's.
@Suite struct DepartingTests {
    private let shelf = Shelf()

    @Test func an_object_posts_itself_and_leaves_its_cell_later() {
        let parcel = Parcel([shelf.make(key(2)), shelf.make(key(3))])
        parcel.release()
        parcel.join()
        #expect(!shelf.departures.isEmpty && shelf.registry.count == 2)
        shelf.registry.drain()
        #expect(shelf.departures.isEmpty && shelf.registry.count == 0)
        #expect(shelf.registry.violations() == [])
    }

    @Test func a_look_up_finds_nothing_once_the_object_has_been_posted() {
        let parcel = Parcel([shelf.make(key(2))])
        parcel.release()
        parcel.join()
        #expect(shelf.registry[key(2)] == nil)
        #expect(shelf.registry.count == 0 && shelf.departures.isEmpty)
    }

    @Test func a_look_up_comes_before_a_deinit_that_has_begun() {
        let gate = Gate()
        var thing: Thing? = shelf.make(key(2))
        thing?.onExit = { gate.pass() }
        let parcel = Parcel([thing.take()!])
        parcel.release()
        gate.awaitArrival()
        #expect(shelf.registry.count == 1)
        #expect(shelf.registry[key(2)] == nil)
        #expect(shelf.registry.count == 0)
        // The cell serves another object before the first one has gone.
        let next = shelf.make(key(2))
        gate.open()
        parcel.join()
        #expect(shelf.departures.isEmpty)
        #expect(shelf.registry[key(2)] === next)
        #expect(shelf.registry.violations() == [])
    }

    @Test func a_look_up_waits_for_a_deinit_that_has_left_its_owner() {
        let gate = Gate()
        var thing: Thing? = shelf.make(key(2))
        thing?.onLeave = { gate.pass() }
        let parcel = Parcel([thing.take()!])
        parcel.release()
        gate.awaitArrival()
        gate.open()
        #expect(shelf.registry[key(2)] == nil)
        #expect(shelf.registry.count == 0 && shelf.departures.isEmpty)
        parcel.join()
    }

    @Test func a_walk_leaves_out_an_object_whose_deinit_has_begun() {
        let gate = Gate()
        let kept = shelf.make(key(3))
        var thing: Thing? = shelf.make(key(2))
        thing?.onExit = { gate.pass() }
        let parcel = Parcel([thing.take()!])
        parcel.release()
        gate.awaitArrival()
        let found = shelf.registry.objects
        #expect(found.count == 1 && found.first === kept)
        withExtendedLifetime(kept) { #expect(shelf.registry.count == 1) }
        gate.open()
        parcel.join()
        #expect(shelf.departures.isEmpty)
    }

    @Test func a_look_up_inside_the_deinit_takes_the_object_out() {
        let shelf = shelf
        var thing: Thing? = shelf.make(key(2))
        thing?.onLeave = {
            #expect(shelf.registry[key(2)] == nil)
            #expect(shelf.registry.count == 0)
        }
        thing = nil
        #expect(shelf.registry.count == 0 && shelf.departures.isEmpty)
        #expect(shelf.removals == 0, "the deinit leaves the owner alone then")
        #expect(shelf.registry.violations() == [])
    }

    @Test func an_object_takes_the_place_of_one_that_has_gone() {
        let parcel = Parcel([shelf.make(key(2))])
        parcel.release()
        parcel.join()
        let next = shelf.make(key(2))
        #expect(shelf.departures.isEmpty && shelf.registry.count == 1)
        #expect(shelf.registry[key(2)] === next)
    }

    @Test func keys_that_the_owner_wants_are_told_once() {
        let parcel = Parcel((1...5).map { shelf.make(key($0)) })
        parcel.release()
        parcel.join()
        shelf.registry.drain()
        #expect(Set(shelf.registry.takeDepartedKeys()) == [key(2), key(4)])
        #expect(shelf.registry.takeDepartedKeys() == [])
        // The owner's thread knows what goes on it.
        _ = shelf.make(key(6))
        #expect(shelf.registry.count == 0 && shelf.registry.departedKeys == [])
        #expect(shelf.removals == 1)
    }

    /// Threads release what the registry's own thread looks up, replaces and walks over.
    @Test func objects_go_while_they_are_looked_up() {
        for round in UInt64(0)..<50 {
            let parcels = (UInt64(0)..<4).map { part in
                Parcel((0..<200).map { shelf.make(key($0 * 4 + part)) })
            }
            for parcel in parcels { parcel.release() }
            for row in UInt64(0)..<800 {
                #expect(shelf.registry[key(row)].map { $0.key == key(row) } != false)
            }
            let newer = (UInt64(0)..<100).map { shelf.make(key(($0 * 7 + round) % 800)) }
            for thing in shelf.registry.objects { #expect(thing.key.row < 800) }
            for parcel in parcels { parcel.join() }
            for thing in newer { #expect(shelf.registry[thing.key] === thing) }
            shelf.registry.drain()
            withExtendedLifetime(newer) { #expect(shelf.registry.count == 100) }
            #expect(shelf.registry.violations() == [])
        }
        #expect(shelf.registry.count == 0)
    }
}
