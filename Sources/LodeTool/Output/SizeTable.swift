// SPDX-License-Identifier: Apache-2.0

import Lode

/// The sizes of a store's tables as `lode inspect` prints them.
enum SizeTable {
    static func text(_ statistics: NSPersistentStore.Statistics) -> String {
        var rows = statistics.tables.map { table in
            let name = [table.entity, table.name].compactMap { $0 }.joined(separator: ".")
            return [
                name, label(table.kind), table.entries.grouped, table.pages.grouped,
                table.depth.grouped, table.bytes.grouped,
            ]
        }
        rows.append(["", "free and other", "", "", "", statistics.otherBytes.grouped])
        rows.append(["", "file", "", "", "", statistics.fileSizeBytes.grouped])
        return TextTable.table(
            header: ["table", "holds", "entries", "pages", "depth", "bytes"], rows: rows,
            isNumber: [false, false, true, true, true, true])
    }

    private static func label(_ kind: NSPersistentStore.Table.Kind) -> String {
        kind == .largeValues ? "large values" : kind.rawValue
    }
}
