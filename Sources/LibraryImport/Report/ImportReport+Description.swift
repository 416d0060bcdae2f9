// SPDX-License-Identifier: Apache-2.0

extension ImportReport: CustomStringConvertible {
    /// The report as `lode import` prints it, without a final line end.
    public var description: String {
        var lines = [summary]
        for counts in entities where counts != EntityCounts(name: counts.name) {
            lines.append(
                line(
                    counts.name,
                    [
                        (counts.inserted, "inserted"), (counts.updated, "updated"),
                        (counts.unchanged, "unchanged"), (counts.rejected, "rejected"),
                        (counts.incomplete, "incomplete"),
                    ]))
        }
        for counts in links {
            lines.append(
                line(
                    counts.name,
                    [
                        (counts.inserted, "linked"), (counts.unchanged, "unchanged"),
                        (counts.removed, "removed"), (counts.rejected, "rejected"),
                    ]))
        }
        if rejectionCount > 0 {
            lines.append(reported)
            lines += rejections.map { "  \($0)" }
            if rejections.count < rejectionCount {
                lines.append("  and \((rejectionCount - rejections.count).grouped) more")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// How many rows are listed as rejected and as incomplete.
    private var reported: String {
        let rejected = rejectionCount - incompleteCount
        var parts: [String] = []
        if rejected > 0 { parts.append(rejected.counted("rejected row")) }
        if incompleteCount > 0 { parts.append(incompleteCount.counted("incomplete row")) }
        return parts.joined(separator: ", ")
    }

    private var summary: String {
        let hundredths = Int((seconds * 100).rounded())
        let fraction = hundredths % 100
        let time = "\((hundredths / 100).grouped).\(fraction < 10 ? "0" : "")\(fraction)"
        return "\(readCount.counted("row")) in \(time) s"
    }

    /// Names every count that is not zero, and the first one in any case.
    private func line(_ name: String, _ counts: [(count: Int, label: String)]) -> String {
        let parts = counts.enumerated().filter { $0.offset == 0 || $0.element.count > 0 }
            .map { "\($0.element.count.grouped) \($0.element.label)" }
        return "  \(name): \(parts.joined(separator: ", "))"
    }
}
