// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs the steps of a kind on some threads.
struct FaultRunner {
    let plan: FaultPlan
    let report: FaultReport
    let jobs: Int

    /// After so many violations the rest of a kind is left out.
    private static let limit = 10

    /// What the threads of a run share.
    private final class Progress: Sendable {
        // The first step that no thread has taken.
        let next: Mutex<Int>
        let violations = Atomic<Int>(0)

        init(_ first: Int) { next = Mutex(first) }
    }

    func run(_ kind: any FaultKind, _ steps: Range<Int>) {
        let progress = Progress(steps.lowerBound)
        let (plan, report) = (plan, report)
        onThreads(jobs) { _ in
            while progress.violations.load(ordering: .relaxed) < Self.limit {
                let part = progress.next.withLock { place -> Range<Int> in
                    let start = place
                    place = min(steps.upperBound, place + kind.chunk)
                    return start..<place
                }
                guard !part.isEmpty else { return }
                do { report.add(kind.name, try kind.run(part, plan)) } catch {
                    progress.violations.add(1, ordering: .relaxed)
                    let failed = error as? FailedStep
                    report.violate(
                        kind.name, failed?.step ?? part.lowerBound, seed: plan.seed,
                        failed?.text ?? "\(error)")
                }
            }
        }
    }
}

/// Runs a body on some threads at the same time, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(number)
            group.leave()
        }
    }
    group.wait()
}
