// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Where something stands or lies; what is carried has no place of its own.
struct Place: ValueComponent, Equatable {
    var x, y: Int32

    func moved(_ step: (x: Int32, y: Int32)) -> Place { Place(x: x + step.x, y: y + step.y) }
}

/// The letter of the map that shows something.
struct Glyph: ValueComponent {
    var letter: UInt8
}

/// Marks the one that the player moves.
struct Hero: ValueComponent {}

/// Marks what can be picked up, and says by how much it strengthens a blow.
struct Item: ValueComponent {
    var bonus: Int32
}

/// The number of the turn, which the world has once.
struct Turn: ValueComponent, Equatable {
    var number: Int32
}

/// Leads from an item to who carries it, of which there is one at a time.
enum CarriedBy: Relationship {
    static let isExclusive = true
}

/// Monsters hunt the hero, and others would be possible.
enum Hunts: Relationship {}
