// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs closures at the same time, each on a thread of its own, and waits for all.
///
/// Not tasks: those share as many threads as there are cores, and some of these wait
/// for others.
///
/// - Throws: The first error of any of them.
public func runOnThreads(_ bodies: [@Sendable () throws -> Void]) async throws {
    let errors = ErrorList()
    await withTaskGroup(of: Void.self) { group in
        for body in bodies {
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        do { try body() } catch { errors.append(error) }
                        continuation.resume()
                    }
                }
            }
        }
    }
    if let first = errors.first { throw first }
}

/// Errors collected from several threads.
private final class ErrorList: Sendable {
    private let errors = Mutex<[any Error]>([])

    var first: (any Error)? { errors.withLock { $0.first } }

    func append(_ error: any Error) {
        errors.withLock { $0.append(error) }
    }
}
