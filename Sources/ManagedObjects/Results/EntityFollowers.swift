// SPDX-License-Identifier: Apache-2.0

import Schema

/// A controller that follows an entity.
struct ResultsFollower {
    weak var core: ResultsCore?
    let identifier: ObjectIdentifier

    init(_ core: ResultsCore) {
        self.core = core
        identifier = ObjectIdentifier(core)
    }
}

extension [ResultsFollower] {
    /// Calls a body with each controller that is still there; returns whether others are gone.
    ///
    /// The body may run hooks of the application, which may add controllers: the list that is
    /// walked has to be a copy.
    func forEachLive(_ body: (ResultsCore) -> Void) -> Bool {
        var hasGone = false
        for follower in self {
            if let core = follower.core { body(core) } else { hasGone = true }
        }
        return hasGone
    }

    mutating func remove(_ identifier: ObjectIdentifier) {
        removeAll { $0.core == nil || $0.identifier == identifier }
    }
}

/// The controllers that follow the objects of one entity.
///
/// A controller whose predicate demands a value of a field is asked only about objects that have
/// the value or had it when they were placed. All other controllers are asked about each object.
final class EntityFollowers {
    private(set) var others: [ResultsFollower] = []
    /// One per field, in the order in which they came, so that controllers are told in the same
    /// order in each run.
    private var byField: [ValueFollowers] = []

    var isEmpty: Bool { others.isEmpty && byField.isEmpty }

    func add(_ core: ResultsCore, _ runtime: EntityRuntime, _ demand: ResultsDemand?) {
        guard let place = demand?.place(in: runtime) else {
            others.append(ResultsFollower(core))
            return
        }
        if let known = byField.first(where: { $0.position == place.position }) {
            return known.add(core, place.value, runtime)
        }
        let made = ValueFollowers(place.position)
        byField.append(made)
        made.add(core, place.value, runtime)
    }

    func remove(_ identifier: ObjectIdentifier) {
        others.remove(identifier)
        for followers in byField { followers.remove(identifier) }
        byField.removeAll(where: \.isEmpty)
    }

    /// Calls a body with the controllers that an object of an event may concern.
    func forEachConcerned(by object: NSManagedObject, _ body: (ResultsCore) -> Void) {
        forEachOther(body)
        for followers in byField { followers.forEachConcerned(by: object, body) }
    }

    func forEach(_ body: (ResultsCore) -> Void) {
        forEachOther(body)
        for followers in byField { followers.forEach(body) }
    }

    private func forEachOther(_ body: (ResultsCore) -> Void) {
        let list = others
        if list.forEachLive(body) { others.removeAll { $0.core == nil } }
    }

    /// The context has forgotten its objects.
    func forgetObjects() {
        for followers in byField { followers.forgetObjects() }
    }
}

/// Controllers whose predicates demand a value of the same field, by that value.
private final class ValueFollowers {
    let position: Int
    private var lists: [[ResultsFollower]] = []
    private var numbers: [ResultsValue: Int32] = [:]
    /// The lists of the values that objects had when they were placed.
    ///
    /// Entries may outlive their objects; at worst a controller is asked in vain.
    private var placed: [ObjectIdentifier: Int32] = [:]
    /// Results whose values differ between what is stored, which a fetch asks, and the context:
    /// they may be results of controllers of several values.
    private var strays: Set<ObjectIdentifier> = []

    init(_ position: Int) { self.position = position }

    var isEmpty: Bool { lists.allSatisfy(\.isEmpty) }

    func add(_ core: ResultsCore, _ value: ResultsValue, _ runtime: EntityRuntime) {
        let number = numbers[value] ?? Int32(lists.count)
        if number == lists.count {
            numbers[value] = number
            lists.append([])
        }
        lists[Int(number)].append(ResultsFollower(core))
        guard let list = core.arrangement?.list else { return }
        for object in list.objects(in: 0..<list.count) where object.runtime === runtime {
            let identifier = ObjectIdentifier(object)
            let former = placed.updateValue(number, forKey: identifier)
            if let former, former != number { strays.insert(identifier) }
        }
    }

    func remove(_ identifier: ObjectIdentifier) {
        for index in lists.indices { lists[index].remove(identifier) }
    }

    func forEachConcerned(by object: NSManagedObject, _ body: (ResultsCore) -> Void) {
        let identifier = ObjectIdentifier(object)
        let former = placed[identifier]
        let current = number(of: object)
        if former != current { placed[identifier] = current }
        if strays.remove(identifier) != nil { return forEach(body) }
        if let former { forEach(in: Int(former), body) }
        if let current, current != former { forEach(in: Int(current), body) }
    }

    /// The list that an object belongs to from now on.
    private func number(of object: NSManagedObject) -> Int32? {
        guard object.context != nil, !object.isDeleted else { return nil }
        return ResultsValue(object.fieldValue(position)).flatMap { numbers[$0] }
    }

    func forEach(_ body: (ResultsCore) -> Void) {
        for index in lists.indices { forEach(in: index, body) }
    }

    private func forEach(in index: Int, _ body: (ResultsCore) -> Void) {
        let list = lists[index]
        if list.forEachLive(body) { lists[index].removeAll { $0.core == nil } }
    }

    func forgetObjects() {
        placed = [:]
        strays = []
    }
}
