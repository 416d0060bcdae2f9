// SPDX-License-Identifier: Apache-2.0

/// When the systems of a schedule run.
struct SchedulePlan {
    /// The groups of systems that may run at the same time, by stage.
    let waves: [[[System]]]
    let ambiguities: [Ambiguity]

    init(_ systems: [System], stages: [String]) throws(ScheduleError) {
        let places = try SchedulePlan.places(of: systems, stages)
        let edges = try SchedulePlan.edges(of: systems, places)
        // Which components systems share does not depend on the world that they will run over.
        let world = World()
        var waves: [[[System]]] = []
        var ambiguities: [Ambiguity] = []
        for stage in stages.indices {
            let order = try SystemOrder(
                systems.filter { places[$0.name] == stage },
                edges.filter { places[$0.first] == stage && places[$0.second] == stage }, in: world)
            waves.append(order.waves)
            ambiguities += order.ambiguities(in: world)
        }
        self.waves = waves
        self.ambiguities = ambiguities
    }

    /// The stage of each system by its name.
    private static func places(
        of systems: [System], _ stages: [String]
    ) throws(ScheduleError) -> [String: Int] {
        var places: [String: Int] = [:]
        for system in systems {
            let stage = system.stage ?? stages[0]
            guard let place = stages.firstIndex(of: stage) else {
                throw .unknownStage(stage, of: system.name)
            }
            guard places.updateValue(place, forKey: system.name) == nil else {
                throw .duplicateSystem(system.name)
            }
        }
        return places
    }

    /// The stated orders.
    private static func edges(
        of systems: [System], _ places: [String: Int]
    ) throws(ScheduleError) -> [(first: String, second: String)] {
        var edges: [(first: String, second: String)] = []
        for system in systems {
            for name in system.predecessors + system.successors where places[name] == nil {
                throw .unknownSystem(name, namedBy: system.name)
            }
            edges += system.predecessors.map { ($0, system.name) }
            edges += system.successors.map { (system.name, $0) }
        }
        for edge in edges where places[edge.first, default: 0] > places[edge.second, default: 0] {
            throw .stagesInOtherOrder(edge.first, before: edge.second)
        }
        return edges
    }
}
