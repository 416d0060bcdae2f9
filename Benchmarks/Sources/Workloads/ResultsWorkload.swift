// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Engines

/// Fetched results controllers that follow saves; Lode alone, as the other engines have none.
public enum ResultsWorkload: Workload {
    /// The name.
    public static let name = "results"
    /// The summary.
    public static let summary =
        "what fetched results controllers add to a save: one of 100000 objects when 10 of them "
        + "change, and 1000 of 1000 objects each when one object changes"
    private static let limit = 0.001
    private static let eventCount = 51

    /// Measures events without and with controllers, and checks which of them are told.
    public static func run(_ stores: FilledStores) throws -> Report {
        let isSmoke = stores.configuration.isSmoke
        let events = eventCount * stores.configuration.runCount
        var report = Report(
            table: Table([
                "controllers", "objects changed", "save", "processing", "in the controllers",
            ]))
        for isGrouped in [false, true] {
            let groups = isGrouped ? (isSmoke ? 20 : 1_000) : 1
            let itemCount = isSmoke ? 2_000 : isGrouped ? groups * 1_000 : 100_000
            let changes = isGrouped ? 1 : 10
            let path = stores.folder.makePath()
            let items = try FollowedItems(path: path, itemCount: itemCount, groupCount: groups)
            let alone = try items.measure(
                isGrouped: nil, changeCount: changes, eventCount: events)
            let followed = try items.measure(
                isGrouped: isGrouped, changeCount: changes, eventCount: events)
            try items.close()
            stores.folder.remove(path)
            let added = followed.processing.median - alone.processing.median
            let name = "\(groups) of \(itemCount / groups)"
            report.keep("\(name), save", followed.save)
            report.keep("\(name), processing", followed.processing)
            report.keep("\(name), processing without controllers", alone.processing)
            report.table.add([
                name, "\(changes)", Figures.milliseconds(followed.save.median),
                Figures.milliseconds(followed.processing.median), Figures.milliseconds(added),
            ])
            report.verdicts.append(
                .below(
                    limit, "results, \(name), a save of \(changes), in the controllers", added,
                    format: Figures.milliseconds))
        }
        return report
    }
}
