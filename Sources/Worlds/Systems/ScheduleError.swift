// SPDX-License-Identifier: Apache-2.0

/// What makes the systems of a schedule impossible to order.
public enum ScheduleError: Error, Hashable, Sendable {
    /// Two systems have one name.
    case duplicateSystem(String)
    /// A system is ordered by the name of one that the schedule does not have.
    case unknownSystem(String, namedBy: String)
    /// A system is in a stage that the schedule does not have.
    case unknownStage(String, of: String)
    /// Systems each run after the one in front of them, and the first after the last.
    case cycle([String])
    /// A system is to run before another one, the stage of which runs earlier.
    case stagesInOtherOrder(String, before: String)
}

extension ScheduleError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .duplicateSystem(let name):
            "two systems are named \(name); give one of them another name"
        case .unknownSystem(let name, let other):
            "system \(other) is ordered by \(name), which the schedule does not have; add that "
                + "system or correct the name"
        case .unknownStage(let stage, let name):
            "system \(name) is in stage \(stage), which the schedule does not have; add the stage "
                + "or correct the name"
        case .cycle(let names):
            "systems wait for each other: "
                + (names + names.prefix(1)).joined(separator: " before ")
                + "; take one of these orders back"
        case .stagesInOtherOrder(let first, let second):
            "system \(first) is to run before \(second), whose stage runs earlier; put them into "
                + "one stage or take the order back"
        }
    }
}
