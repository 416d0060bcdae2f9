// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private struct Label: CodableComponent, Equatable { var text: String }
private struct Agenda: CodableComponent, Equatable { var steps: [String] }
private struct Cell: ValueComponent, Equatable { var x: Int32 }
private struct Flag: ValueComponent {}

/// Codable components as filters of queries.
@Suite struct CodableComponentFilterTests {
    private let world = World()

    private func texts(_ query: Query<Terms1<Label>>) -> [String] {
        var texts: [String] = []
        query.forEach { texts.append($0.text) }
        return texts
    }

    @Test func whatWasAddedAndChangedIsFound() {
        let ids = world.spawnAll(["a", "b", "c"].map { Label(text: $0) })
        #expect(texts(world.query(Label.self).added(Label.self)) == ["a", "b", "c"])
        world.advance()
        #expect(world.query(Label.self).added(Label.self).isEmpty)
        world[ids[1], Label.self]?.text = "b2"
        let late = world.spawn(Label(text: "d"))
        #expect(texts(world.query(Label.self).changed(Label.self)) == ["b2", "d"])
        #expect(world.query(Label.self).added(Label.self).objects == [late])
        #expect(world.query(GameObjectID.self).changed(Label.self).objects == [ids[1], late])
        let tick = world.lastAdvance
        world.advance()
        #expect(world.query(Label.self).changed(Label.self).isEmpty)
        #expect(world.query(Label.self).changed(Label.self, since: tick).count == 2)
        // A loop that may change them counts, whether it does or not.
        world.query(Mut<Label>.self).with(Flag.self).forEach { $0.text += "!" }
        #expect(world.query(Label.self).changed(Label.self).isEmpty)
        world[ids[2], Flag.self] = Flag()
        world.query(Mut<Label>.self).with(Flag.self).forEach { $0.text += "!" }
        #expect(texts(world.query(Label.self).changed(Label.self)) == ["c!"])
        #expect(world.query(Label.self).added(Label.self).isEmpty)
    }

    @Test func whatWasRemovedHasItsValue() {
        let ids = world.spawnAll(["a", "b", "c"].map { Label(text: $0) })
        world.advance()
        world.remove(Label.self, from: ids[0])
        world.despawn(ids[2])
        #expect(world.removals(of: Label.self).map(\.object) == [ids[0], ids[2]])
        #expect(world.removals(of: Label.self).map(\.value.text) == ["a", "c"])
        world[ids[0], Label.self] = Label(text: "again")
        #expect(world.query(Label.self).added(Label.self).objects == [ids[0]])
        world.advance()
        world.advance()
        #expect(world.removals(of: Label.self).isEmpty)
    }

    @Test func optionalOnesAreNilWhereTheyLack() {
        let both = world.spawn(Cell(x: 1), Label(text: "one"))
        world.spawn(Cell(x: 2))
        world.spawn(Label(text: "no cell"))
        var seen: [String] = []
        world.query(Cell.self, Label?.self, Agenda?.self).forEach { cell, label, plan in
            #expect(plan == nil)
            seen.append("\(cell.x) \(label?.text ?? "-")")
        }
        #expect(seen == ["1 one", "2 -"])
        world.query(Cell.self, Mut<Label>?.self).forEach { cell, label in
            label?.component.text += " of \(cell.x)"
        }
        #expect(world[both, Label.self]?.text == "one of 1")
        #expect(world.query(Label.self).count == 2)
    }

    @Test func groupsMixThemWithOthers() {
        let label = world.spawn(Label(text: "l"))
        let plan = world.spawn(Agenda(steps: ["go"]))
        let flag = world.spawn(Flag())
        let all = world.spawn(Label(text: "all"), Agenda(steps: []), Flag())
        world.spawn(Cell(x: 1))
        let any = world.query(GameObjectID.self)
        #expect(any.withAny(Label.self, Agenda.self).objects == [label, plan, all])
        #expect(any.withAny(Agenda.self, Flag.self).objects == [plan, flag, all])
        #expect(any.withAny(Label.self, Agenda.self).without(Flag.self).objects == [label, plan])
        #expect(
            any.withAny(Label.self, Flag.self).withAny(Agenda.self, Cell.self).objects == [all])
        world.advance()
        world[plan, Agenda.self]?.steps.append("stop")
        #expect(any.withAny(Label.self, Agenda.self).changed(Agenda.self).objects == [plan])
    }
}
