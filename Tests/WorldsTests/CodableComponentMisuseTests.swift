// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private struct Note: CodableComponent, Equatable { var text: String }

/// Values within each other.
private struct Tree: CodableComponent {
    var inner: [Tree] = []

    /// A tree in which lists and trees are so many within each other: two a level.
    static func deep(_ levels: Int) -> Tree {
        (0..<levels).reduce(Tree()) { tree, _ in Tree(inner: [tree]) }
    }
}

private func isComponent<C: WorldComponent>(_ type: C.Type) -> Bool { true }
private func isComponent<Other>(_ type: Other.Type) -> Bool { false }

/// What codable components refuse.
@Suite struct CodableComponentMisuseTests {
    @Test func aKeyIsNoComponent() {
        // The compiler takes the first function where it can, so none of a world's can be called.
        let isOne = (
            value: isComponent(Note.self), key: isComponent(Coded<Note>.self),
            resource: isComponent(Resource<Coded<Note>>.self)
        )
        #expect(isOne == (true, false, true))
        #expect(!(Coded<Note>.self is any WorldComponent.Type))
        #expect(!(Coded<Note>.self is any QueryTerm.Type))
    }

    @Test func aCodableResourceIsNotWrittenByAQuery() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            world[resource: Note.self] = Note(text: "a")
            world.query(Mut<Resource<Coded<Note>>>.self).forEach { _ in }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("a query writes resource/Note; world[resource:] sets"))
    }

    @Test func theDeepestValueIsKept() {
        let world = World()
        let object = world.spawn(Tree.deep(63))
        var depth = 0
        var tree = world[object, Tree.self]
        while let inner = tree?.inner.first { (tree, depth) = (inner, depth + 1) }
        #expect(depth == 63)
    }

    @Test func aDeeperValueNamesItsType() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { World().spawn(Tree.deep(64)) }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the component Tree cannot be coded: inner.0.inner"))
        #expect(text.contains("values lie more than 128 deep within each other"))
    }

    @Test func aLargerValueNamesItsType() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let object = world.spawn(Note(text: "short"))
            world[object, Note.self]?.text = String(repeating: "x", count: 16 << 20)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the component Note cannot be coded: it takes 167772"))
        #expect(text.contains("bytes; at most 16777216 are kept"))
    }

    @Test func sameBytesAreKeptOnceAndOthersAreNot() {
        struct Number: CodableComponent { var value: Double }
        let world = World()
        let ids = world.spawnAll([0.0, -0.0, .nan, .nan].map { Number(value: $0) })
        let texts = world.spawnAll([Note(text: "\u{E9}"), Note(text: "e\u{301}")])
        #expect(ids.map { world[$0, Number.self]?.value.sign } == [.plus, .minus, .plus, .plus])
        #expect(world[ids[3], Number.self]?.value.isNaN == true)
        #expect(world[texts[0], Note.self]?.text.utf8.count == 2)
        #expect(world[texts[1], Note.self]?.text.utf8.count == 3)
        let other = world.copy()
        world[ids[2], Number.self]?.value = .nan
        #expect(world.diff(from: other).isEmpty)
        world[texts[0], Note.self]?.text = "e\u{301}"
        #expect(!world.diff(from: other).isEmpty)
    }
}
