// SPDX-License-Identifier: Apache-2.0

import Testing

/// The short form of the command `lode-faults`: each kind of run with a few steps and a fixed seed.
@Suite(.serialized) struct FaultTests {
    private func expectFine(_ run: FaultRun) {
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("violations: 0"), "\(run.output)")
    }

    @Test func killedProcessesLoseNothing() throws {
        let run = try FaultRun("--seed", "1", "--kills", "48")
        expectFine(run)
        #expect(run.count("kills") == 48)
        #expect(run.count("acknowledged") > 100)
        for scenario in ["saves", "batches", "indexes", "history", "imports", "copies"] {
            #expect(run.count("of \(scenario)") == 8)
        }
    }

    @Test func killedMigrationsLeaveWholeFiles() throws {
        let run = try FaultRun("--seed", "1", "--migrations", "32")
        expectFine(run)
        #expect(run.count("kills") == 32)
        #expect(run.count("left with the first version") > 5)
        #expect(run.count("left with the second version") > 2)
    }

    @Test func failingCallsAreErrors() throws {
        let run = try FaultRun("--seed", "1", "--calls", "20")
        expectFine(run)
        #expect(run.count("failed") > 100)
        #expect(run.count("saved again") > 5)
    }

    /// A header is in the file, although writing it has failed, and cannot be taken back at once.
    @Test func savingGoesOnAfterHeadersThatStayBehind() throws {
        let run = try FaultRun("--seed", "1", "--headers", "40")
        expectFine(run)
        #expect(run.count("failed") > 30)
        #expect(run.count("saved again") > 10)
    }

    /// The map cannot grow, and once it is away cannot come back either.
    @Test func savingGoesOnAfterTheMapWasLost() throws {
        let run = try FaultRun("--seed", "1", "--maps", "4")
        expectFine(run)
        #expect(run.count("lost maps") == 2)
        #expect(run.count("saved again") == 4)
    }

    @Test func racesLoseNoUpdate() throws {
        let run = try FaultRun("--seed", "1", "--races", "12")
        expectFine(run)
        #expect(run.count("races") == 12)
        #expect(run.count("acknowledged") > 500)
        #expect(run.count("conflicts") > 20)
    }

    @Test func powerCutsLeaveWholeFiles() throws {
        let run = try FaultRun("--seed", "1", "--states", "1000")
        expectFine(run)
        #expect(run.count("states") == 1_000)
        #expect(run.count("recordings") == 4)
    }

    @Test func predicatesFromAnywhereAreErrorsOrAnswers() throws {
        let run = try FaultRun("--seed", "1", "--predicates", "20000")
        expectFine(run)
        #expect(run.count("answered") > 500)
        #expect(run.count("refused") > 500)
    }

    @Test func textsFromAnywhereAreErrorsOrStores() throws {
        let run = try FaultRun("--seed", "1", "--csv", "300", "--json", "300")
        expectFine(run)
        #expect(run.count("imported") > 5)
        #expect(run.count("refused") > 5)
    }

    @Test func damagedFilesAreRefusedOrRead() throws {
        let run = try FaultRun("--seed", "1", "--mutants", "400")
        expectFine(run)
        #expect(run.count("mutants") == 400)
        #expect(run.count("refused") > 100)
    }
}

/// What the command has to find, as its children are broken on purpose.
@Suite(.serialized) struct FaultFindingTests {
    private func expectFound(_ run: FaultRun, _ text: String) {
        #expect(run.status == 1, "\(run.output)")
        #expect(run.output.contains(text), "\(run.output)")
    }

    @Test func findsASaveThatWasAcknowledgedTooEarly() throws {
        expectFound(try FaultRun("--seed", "1", "--kills", "24", "--sabotage"), "was acknowledged")
    }

    @Test func findsAMigrationThatWasAcknowledgedTooEarly() throws {
        expectFound(
            try FaultRun("--seed", "1", "--migrations", "4", "--sabotage"), "was acknowledged")
    }

    @Test func findsAFailedSaveThatWasAcknowledged() throws {
        expectFound(try FaultRun("--seed", "1", "--calls", "8", "--sabotage"), "VIOLATION in calls")
    }

    @Test func findsLostUpdates() throws {
        expectFound(try FaultRun("--seed", "1", "--races", "4", "--sabotage"), "VIOLATION in races")
    }

    @Test func findsMissingSyncs() throws {
        expectFound(
            try FaultRun("--seed", "1", "--states", "250", "--sabotage"), "VIOLATION in states")
    }
}
