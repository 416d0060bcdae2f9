// SPDX-License-Identifier: Apache-2.0

/// Calls a progress handler once every few thousand rows and at the end of each source.
struct ProgressMeter {
    /// The rows between two calls.
    static let interval = 4096

    private let phase: ImportProgress.Phase
    private let sources: [ImportSource]
    private let handler: ImportProgress.Handler?
    private let totalBytes: Int
    private var source = 0
    private var finishedBytes = 0
    private var finishedRows = 0
    private var sourceRows = 0

    /// Makes a meter for a pass over `sources` in order.
    init(
        _ phase: ImportProgress.Phase, sources: [ImportSource], handler: ImportProgress.Handler?
    ) {
        self.phase = phase
        self.sources = sources
        self.handler = handler
        totalBytes = sources.reduce(0) { $0 + $1.byteCount }
    }

    /// Counts a row of the current source.
    @inline(__always)
    mutating func step(_ reader: any RowSource) {
        sourceRows += 1
        if sourceRows % Self.interval == 0 { report(bytes: reader.bytesRead) }
    }

    /// Goes on to the next source.
    mutating func finishSource(rows: Int) {
        sourceRows = rows
        report(bytes: sources[source].byteCount)
        finishedBytes += sources[source].byteCount
        finishedRows += rows
        sourceRows = 0
        source += 1
    }

    private func report(bytes: Int) {
        guard let handler else { return }
        handler(
            ImportProgress(
                phase: phase, file: sources[source].path, bytesRead: finishedBytes + bytes,
                totalBytes: totalBytes, rows: finishedRows + sourceRows))
    }
}
