// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Has custom accessors for an attribute and for both kinds of relationship.
final class TeamWorker: NSManagedObject {
    var title: String? {
        get {
            willAccessValue(forKey: "name")
            defer { didAccessValue(forKey: "name") }
            return primitiveValue(forKey: "name") as? String
        }
        set {
            willChangeValue(forKey: "name")
            setPrimitiveValue(newValue?.uppercased(), forKey: "name")
            didChangeValue(forKey: "name")
        }
    }

    func change(_ key: String, _ value: Any?) {
        willChangeValue(forKey: key)
        setPrimitiveValue(value, forKey: key)
        didChangeValue(forKey: key)
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("new", forKey: "name")
    }
}

/// Primitive setters bypass tracking, inverses and undo; bracketed they are changes like others.
@Suite struct PrimitiveSetterTests {
    private func stack() throws -> (Stack, [TeamWorker], [NSManagedObject]) {
        let worker = Build.entity("Worker", [Build.attribute("name")], class: TeamWorker.self)
        let team = Build.entity("Team", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("team", of: worker, to: team, max: 1),
            Build.relationship("workers", of: team, to: worker, max: 0))
        Build.inverse(
            Build.relationship("skills", of: worker, to: team, max: 0),
            Build.relationship("experts", of: team, to: worker, max: 0))
        let stack = try Stack(Build.model(worker, team))
        let workers = (0..<2).compactMap { _ in stack.context.make("Worker") as? TeamWorker }
        let teams = ["a", "b"].map { stack.context.make("Team", ["name": $0]) }
        try stack.context.save()
        return (stack, workers, teams)
    }

    @Test func attributes_are_not_tracked() throws {
        let (stack, workers, _) = try stack()
        #expect(workers[0].title == "new")
        workers[0].setPrimitiveValue("quiet", forKey: "name")
        #expect(!workers[0].hasChanges && !stack.context.hasChanges)
        #expect(workers[0].changedValues().isEmpty && !workers[0].hasPersistentChangedValues)
        #expect(workers[0].title == "quiet")
        try stack.context.save()
        #expect(try stack.container.newBackgroundContext().names("Worker", "name == 'quiet'") == [])
    }

    @Test func what_awake_from_insert_sets_is_changed() throws {
        let (stack, _, _) = try stack()
        let worker = try #require(stack.context.make("Worker") as? TeamWorker)
        #expect(worker.title == "new")
        #expect(worker.changedValues() as? [String: String] == ["name": "new"])
        worker.setValue("other", forKey: "name")
        #expect(worker.changedValues() as? [String: String] == ["name": "other"])
    }

    @Test func inverses_stay_as_they_are() throws {
        let (stack, workers, teams) = try stack()
        workers[0].setPrimitiveValue(teams[0], forKey: "team")
        workers[0].setPrimitiveValue([teams[1]] as Set, forKey: "skills")
        #expect(workers[0].one("team") === teams[0] && workers[0].many("skills") == [teams[1]])
        #expect(teams[0].many("workers").isEmpty && teams[1].many("experts").isEmpty)
        #expect(workers[0].changedValues().isEmpty && !teams[0].hasChanges)
        #expect(workers[0].primitiveValue(forKey: "skills") as? Set<NSManagedObject> == [teams[1]])
        #expect(!stack.context.hasChanges)
    }

    @Test func writing_fires_no_fault() throws {
        let (stack, _, _) = try stack()
        try stack.reopen()
        let worker = try #require(try stack.context.all("Worker").first as? TeamWorker)
        worker.setPrimitiveValue("early", forKey: "name")
        #expect(worker.isFault)
        worker.willAccessValue(forKey: nil)
        #expect(!worker.isFault && worker.title == "early" && !worker.hasChanges)
    }

    @Test func bracketed_changes_are_tracked_saved_and_undone() throws {
        let (stack, workers, _) = try stack()
        stack.context.undoManager = UndoManager()
        workers[0].title = "boss"
        #expect(workers[0].isUpdated)
        #expect(workers[0].changedValues() as? [String: String] == ["name": "BOSS"])
        try stack.context.save()
        #expect(
            try stack.container.newBackgroundContext().names("Worker", "name == 'BOSS'")
                == ["BOSS"])
        stack.context.undo()
        #expect(workers[0].title == "new" && workers[0].isUpdated)
    }

    @Test func bracketed_relationships_correct_their_inverse() throws {
        let (stack, workers, teams) = try stack()
        workers[0].change("team", teams[0])
        workers[0].change("skills", Set(teams))
        #expect(teams[0].many("workers") == [workers[0]])
        #expect(teams.map { $0.many("experts") } == [[workers[0]], [workers[0]]])
        workers[0].change("team", teams[1])
        workers[0].change("skills", [teams[0]] as Set)
        #expect(teams[0].many("workers").isEmpty && teams[1].many("workers") == [workers[0]])
        #expect(teams[0].many("experts") == [workers[0]] && teams[1].many("experts").isEmpty)
        try stack.context.save()
        try stack.reopen()
        let team = try #require(try stack.context.named("b", "Team"))
        #expect(team.many("workers").count == 1 && team.many("experts").isEmpty)
    }

    @Test func an_unknown_key_traps() async {
        await #expect(processExitsWith: .failure) {
            let (stack, workers, _) = try PrimitiveSetterTests().stack()
            workers[0].willChangeValue(forKey: "nothing")
            stack.context.reset()
        }
    }
}
