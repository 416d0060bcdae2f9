// SPDX-License-Identifier: Apache-2.0

extension InferredModel: CustomStringConvertible {
    /// The model as `lode import` prints it: a line for each property, aligned, without a final
    /// line end.
    public var description: String {
        var lines = ["\(tableCount.counted("table")), \(rowCount.counted("row"))"]
        let toMany = toManyByEntity
        // Those without rows are the store's, which the data refers to.
        for entity in entities where entity.rowCount > 0 {
            lines.append("")
            lines.append("\(entity.name)  \(entity.rowCount.counted("row"))")
            lines += aligned(propertyRows(of: entity, toMany[entity.name] ?? []))
        }
        if !manyToMany.isEmpty {
            lines += ["", "many-to-many"]
            lines += aligned(manyToMany.map(linkRow))
        }
        if !notes.isEmpty {
            lines += ["", "notes"]
            lines += notes.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private func propertyRows(
        of entity: InferredEntity, _ toMany: [InferredToMany]
    ) -> [[String]] {
        var rows: [[String]] = []
        for (index, attribute) in entity.attributes.enumerated() {
            var traits: [String] = []
            if index == entity.keyIndex {
                traits.append("key")
            } else {
                if attribute.isOptional { traits.append("optional") }
                if attribute.isUnique { traits.append("unique") }
                if attribute.isIndexed { traits.append("indexed") }
            }
            let type = ImportedType.name(attribute.type)
            rows.append([attribute.name, type, traits.joined(separator: " ")])
        }
        for relationship in entity.toOne {
            let optional = relationship.isOptional ? "optional, " : ""
            rows.append([
                relationship.name, "-> \(relationship.destination)",
                "\(optional)inverse \(relationship.inverseName)",
            ])
        }
        for relationship in toMany {
            rows.append([
                relationship.name, "->> \(relationship.destination)",
                "inverse \(relationship.inverseName)",
            ])
        }
        return rows
    }

    private func linkRow(_ link: InferredManyToMany) -> [String] {
        let ends = [link.first, link.second].map { "\($0.entity).\($0.property)" }
        let isTable = if case .table = link.origin { true } else { false }
        let count = link.rowCount.counted(isTable ? "link" : "row")
        return [link.name, ends.joined(separator: " <-> "), count]
    }

    /// Pads all cells but the last and indents the line.
    private func aligned(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = " "
            for (column, cell) in row.enumerated() where !cell.isEmpty {
                line += " " + cell
                if column + 1 < row.count, row[(column + 1)...].contains(where: { !$0.isEmpty }) {
                    line += String(repeating: " ", count: widths[column] - cell.count + 1)
                }
            }
            return line
        }
    }
}
