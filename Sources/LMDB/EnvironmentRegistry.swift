// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The open environments of this process, by device and inode.
///
/// Two environments for one file in one process lose each other's locks when
/// one is closed, so there is never a second one.
enum EnvironmentRegistry {
    private struct Entry {
        let identity: FileIdentity
        weak var environment: Environment?
        let lockFile: FileIdentity?
        let forkGeneration: UInt32
    }

    private enum Found {
        case shared(Environment)
        case opened(Environment)
        case refused(Environment, LMDBError)
        case failed(LMDBError)
        case closing
    }

    private static let lock = NativeLock()
    // A list, as a process has few files open, and its first dictionary of a type costs more time
    // than the searches.
    // SAFETY: every access is under `lock`: `environment`, `add`, `forEach` and `remove` take it.
    nonisolated(unsafe) private static var entries: [Entry] = []

    /// The environment for a path: the open one, or a new one made by `open`.
    static func environment(
        at path: String, options: EnvironmentOptions,
        open: () throws(LMDBError) -> Environment
    ) throws(LMDBError) -> Environment {
        while true {
            // An environment is released only outside the lock, as closing it takes the lock.
            switch lock.withLock({ find(path, options, open) }) {
            case .shared(let environment), .opened(let environment): return environment
            case .refused(_, let error), .failed(let error): throw error
            case .closing: pauseBriefly()
            }
        }
    }

    /// Enters a new environment of a file without a path.
    static func add(
        _ open: () throws(LMDBError) -> Environment
    ) throws(LMDBError) -> Environment {
        try lock.withLock { () throws(LMDBError) in
            let environment = try open()
            entries.append(
                Entry(
                    identity: environment.identity, environment: environment, lockFile: nil,
                    forkGeneration: ForkGuard.generation))
            return environment
        }
    }

    /// Runs a body with each open environment.
    static func forEach(_ body: (Environment) -> Void) {
        // Outside the lock, as an environment that ends takes it.
        let open = lock.withLock { entries.compactMap(\.environment) }
        open.forEach(body)
    }

    /// Closes an environment and forgets it, in one step for others.
    static func remove(_ identity: FileIdentity, close: () -> Void) {
        lock.withLock {
            close()
            entries.removeAll { $0.identity == identity }
        }
    }

    private static func find(
        _ path: String, _ options: EnvironmentOptions,
        _ open: () throws(LMDBError) -> Environment
    ) -> Found {
        if let identity = FileIdentity(path: path), let entry = current(identity) {
            guard let environment = entry.environment else { return .closing }
            if environment.options.serves(options) { return .shared(environment) }
            let error = LMDBError(.incompatibleOptions, path: path, during: "Opening the file")
            return .refused(environment, error)
        }
        if !options.isImmutable, let lockFile = FileIdentity(path: path + LockFile.suffix),
            let other = entries.first(where: {
                $0.lockFile == lockFile && $0.forkGeneration == ForkGuard.generation
            })
        {
            guard let environment = other.environment else { return .closing }
            let error = LMDBError(.replacedWhileOpen, path: path, during: "Opening the file")
            return .refused(environment, error)
        }
        do throws(LMDBError) {
            let environment = try open()
            entries.removeAll { $0.identity == environment.identity }
            entries.append(
                Entry(
                    identity: environment.identity, environment: environment,
                    lockFile: options.isImmutable
                        ? nil : FileIdentity(path: path + LockFile.suffix),
                    forkGeneration: ForkGuard.generation))
            return .opened(environment)
        } catch {
            return .failed(error)
        }
    }

    /// The entry for a file, unless the parent process made it before a fork.
    private static func current(_ identity: FileIdentity) -> Entry? {
        entries.first {
            $0.identity == identity && $0.forkGeneration == ForkGuard.generation
        }
    }
}
