// SPDX-License-Identifier: Apache-2.0

import Traps

/// The time that has added up towards the next fixed steps of a schedule, in seconds.
///
/// A program that is to go on exactly where it was keeps ``Schedule/stepTimes``, as in a file
/// beside its world or in a codable resource, and sets them before the first run of an equal
/// schedule.
public struct StepTimes: Codable, Hashable, Sendable {
    /// The times of stages with a fixed step, by name.
    public var stages: [String: Double]
    /// The times of systems with a fixed step, by name.
    public var systems: [String: Double]

    /// Makes times; what is missing has none.
    public init(stages: [String: Double] = [:], systems: [String: Double] = [:]) {
        self.stages = stages
        self.systems = systems
    }
}

extension Schedule {
    /// The time that has added up towards the next fixed steps.
    ///
    /// What is set counts from the next run on, also for another world than that of the last run.
    /// Names that the schedule does not have then are left out. Traps for a time that is negative
    /// or not finite.
    public var stepTimes: StepTimes {
        get {
            if let nextTimes { return nextTimes }
            var times = StepTimes()
            for stage in stageList { times.stages[stage.name] = stage.step?.rest }
            for system in systems { times.systems[system.name] = system.step?.rest }
            return times
        }
        set {
            for times in [newValue.stages, newValue.systems] {
                for (name, time) in times {
                    require(
                        time >= 0 && time.isFinite,
                        "\(time) seconds towards a step of \(name); time does not go back")
                }
            }
            nextTimes = newValue
        }
    }

    /// Takes over the times that were set.
    func useNextTimes() {
        guard let times = nextTimes else { return }
        nextTimes = nil
        for place in stageList.indices {
            let time = times.stages[stageList[place].name] ?? 0
            stageList[place].step?.rest = time
        }
        for system in systems { system.step?.rest = times.systems[system.name] ?? 0 }
    }
}
