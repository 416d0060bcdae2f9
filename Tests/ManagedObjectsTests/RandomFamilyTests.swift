// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random edits of ordered relationships in a child, with undo and saves at both levels, compared
/// with plain strings.
@Suite(.serialized, .inBothPlaces) struct RandomFamilyTests {
    /// The tracks of albums by name, in order, and the tracks without an album.
    private typealias State = [String: String]

    private struct Family {
        let stack: Stack
        let root: NSManagedObjectContext
        let child: NSManagedObjectContext
        var random: SplitMix64
        var state: State = ["A": "abcd", "B": "", "free": ""]
        var pushed: State = ["A": "abcd", "B": "", "free": ""]
        var undone: [State] = []
        var redone: [State] = []
        private var nextName: UInt32 = 0x4E00

        init(seed: UInt64, grandchild: Bool) throws {
            stack = try Stack(MusicModel.make())
            _ = try stack.album("A", "abcd")
            _ = try stack.album("B", "")
            root = stack.container.newBackgroundContext()
            child = Stack.child(of: grandchild ? Stack.child(of: root) : root)
            child.undoManager = UndoManager()
            random = SplitMix64(state: seed)
        }

        mutating func step() throws {
            let before = state
            switch random.below(20) {
            case 0..<11:
                try edit()
                child.processPendingChanges()
                if before != state {
                    undone.append(before)
                    redone = []
                }
            case 11..<14:
                child.undo()
                if let last = undone.popLast() {
                    redone.append(state)
                    state = last
                }
            case 14..<16:
                child.redo()
                if let last = redone.popLast() {
                    undone.append(state)
                    state = last
                }
            case 16, 17: try push()
            case 18:
                try push()
                try saveAll()
            default:
                child.rollback()
                state = pushed
                (undone, redone) = ([], [])
            }
        }

        private mutating func push() throws {
            try child.save()
            pushed = state
        }

        private func saveAll() throws {
            var context = child.parent
            while let step = context {
                try step.save()
                context = step.parent
            }
        }

        private mutating func edit() throws {
            let name = ["A", "B"][random.below(2)]
            let album = try find(name, "Album")
            var letters = Array(state[name] ?? "")
            switch random.below(6) {
            case 0:
                letters.shuffle(using: &random)
                let tracks = try letters.map { try find("\($0)", "Track") }
                album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
                state[name] = String(letters)
            case 1:
                let track = try makeTrack()
                track.setValue(album, forKey: "album")
                state[name, default: ""] += track.text("name")
            case 2:
                let track = try makeTrack()
                let place = random.below(letters.count + 1)
                album.mutableOrderedSetValue(forKey: "tracks").insert(track, at: place)
                letters.insert(Character(track.text("name")), at: place)
                state[name] = String(letters)
            case 3:
                guard let letter = letters.randomElement(using: &random) else { return }
                try find("\(letter)", "Track").setValue(nil, forKey: "album")
                state[name]?.removeAll { $0 == letter }
                state["free"] = String((state["free", default: ""] + "\(letter)").sorted())
            case 4:
                guard let letter = letters.randomElement(using: &random) else { return }
                child.delete(try find("\(letter)", "Track"))
                state[name]?.removeAll { $0 == letter }
            default:
                guard let letter = letters.randomElement(using: &random) else { return }
                let other = name == "A" ? "B" : "A"
                try find("\(letter)", "Track").setValue(try find(other, "Album"), forKey: "album")
                state[name]?.removeAll { $0 == letter }
                state[other, default: ""] += "\(letter)"
            }
        }

        private mutating func makeTrack() throws -> NSManagedObject {
            nextName += 1
            let scalar = try #require(Unicode.Scalar(nextName))
            return child.make("Track", ["name": "\(Character(scalar))"])
        }

        private func find(_ name: String, _ entity: String) throws -> NSManagedObject {
            try #require(try child.named(name, entity), "\(entity) \(name)")
        }

        static func read(_ context: NSManagedObjectContext) throws -> State {
            var found: State = [:]
            for name in ["A", "B"] { found[name] = try context.named(name, "Album")?.letters() }
            let free = try context.all("Track", NSPredicate(format: "album == nil"))
            found["free"] = free.map { $0.text("name") }.sorted().joined()
            return found
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func agrees_with_strings(seed: UInt64) throws {
        var family = try Family(seed: seed, grandchild: seed % 3 == 0)
        for step in 0..<120 {
            try family.step()
            let place = "seed \(seed), step \(step)"
            let found = try Family.read(family.child)
            #expect(found == family.state, "child, \(place)")
            let parent = try Family.read(try #require(family.child.parent))
            #expect(parent == family.pushed, "parent, \(place)")
            guard found == family.state, parent == family.pushed else { return }
        }
        try family.child.parent?.save()
        try family.root.save()
        #expect(try family.stack.reading { try Family.read($0) } == family.pushed, "seed \(seed)")
        try family.stack.reopenChecked()
    }
}
