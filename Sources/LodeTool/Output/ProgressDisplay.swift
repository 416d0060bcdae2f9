// SPDX-License-Identifier: Apache-2.0

import Lode

/// Shows how far an import is: a bar on a terminal, a line for each phase elsewhere.
final class ProgressDisplay {
    private let output: ToolOutput
    private let clock = ContinuousClock()
    private var start: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant?
    private var last: ImportProgress?

    init(_ output: ToolOutput) {
        self.output = output
        start = clock.now
    }

    /// Takes note of progress.
    func show(_ progress: ImportProgress) {
        if progress.phase != last?.phase {
            endPhase()
            start = clock.now
        }
        last = progress
        guard output.isTerminal else { return }
        let now = clock.now
        // The eye needs no more than ten updates a second.
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        output.write("\r\(bar(progress))\u{1B}[K")
    }

    /// Ends the current line.
    func endPhase() {
        guard let last else { return }
        let seconds = seconds(since: start)
        let text = "\(name(last.phase)): \(last.rows.counted("row")), \(rate(last, seconds))"
        output.line(output.isTerminal ? "\r\(text)\u{1B}[K" : text)
        self.last = nil
        shown = nil
    }

    private func bar(_ progress: ImportProgress) -> String {
        let part = Double(progress.bytesRead) / Double(max(progress.totalBytes, 1))
        let filled = Int(min(max(part, 0), 1) * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 30 - filled)
        return "\(name(progress.phase)) [\(bar)] \(Int(part * 100))% "
            + "\(progress.rows.counted("row")), \(rate(progress, seconds(since: start)))"
    }

    private func name(_ phase: ImportProgress.Phase) -> String {
        switch phase {
        case .survey: "reading"
        case .objects: "importing"
        case .references: "linking"
        }
    }

    private func rate(_ progress: ImportProgress, _ seconds: Double) -> String {
        "\(Int(Double(progress.rows) / max(seconds, 0.000_001)).grouped) rows/s"
    }

    private func seconds(since start: ContinuousClock.Instant) -> Double {
        (clock.now - start).inSeconds
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
