// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lode

/// Lets a file's map fail to move, below a context that has unsaved changes.
///
/// To grow a map LMDB takes it away first. The process must not crash, its reads and saves may
/// throw only as long as the system allows no map, and the changes stay in the context until they
/// are saved, without the store being opened again.
struct MapKind: FaultKind {
    let name = "maps"

    func run(_ steps: Range<Int>, _ plan: FaultPlan) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for step in steps {
            // Where the later calls fail as well, the former map does not come back.
            let fault = Fault(
                call: .map, action: .fail, error: ENOMEM, number: 1, stays: step % 2 == 1)
            do { try run(step, fault, plan, &counts) } catch {
                throw FailedStep(step: step, text: "\(fault.text): \(error)")
            }
        }
        return counts
    }

    private func run(
        _ step: Int, _ fault: Fault, _ plan: FaultPlan, _ counts: inout [String: Int]
    ) throws {
        let place = WorkPlace(folder: try plan.makeFolder(name, step), seed: plan.seed)
        let child = try Child(
            plan.program, ["child", "map", "--folder", place.folder, "--fault", fault.text])
        var found: [String: Int] = [:]
        let ending = child.finish(within: 120) { line in
            guard line.hasPrefix("count ") else { return false }
            found[String(line.dropFirst(6)), default: 0] += 1
            return true
        }
        guard ending == .exit(0) else { throw Violation("\(ending): \(child.complaint)") }
        try NSPersistentStore.verify(at: URL(fileURLWithPath: place.path))
        counts.merge(found, uniquingKeysWith: +)
        try FileManager.default.removeItem(atPath: place.folder)
    }
}

/// The process whose map fails to grow.
struct MapChild {
    /// A map of this size is full soon; what only deletes may use a sixteenth more.
    private static let limit = 4 << 20

    private let path: String
    private let interposer: Interposer
    private let fault: Fault

    init(_ options: FaultArguments, _ interposer: Interposer) throws {
        guard let fault = options.text("fault").flatMap({ Fault($0) }) else {
            throw Violation("no fault")
        }
        path = WorkPlace(folder: options.folder, seed: 0).path
        self.interposer = interposer
        self.fault = fault
        interposer.watch(options.folder)
    }

    func run() throws {
        let left = try WorkStore.with(path, [LodeSizeLimitOption: Self.limit as NSNumber]) {
            store in
            try store.context.performAndWait { try run(store) }
        }
        let found = try WorkStore.with(path) { store in
            try store.context.performAndWait { try store.all("Item").count }
        }
        guard found == left else { throw Violation("\(found) items instead of \(left)") }
    }

    /// Returns how many items should be left.
    private func run(_ store: WorkStore) throws -> Int {
        let count = try fill(store)
        let items: [WorkItem] = try store.all("Item", by: "name")
        // Every other one, so that pages are changed but none become free.
        let deleted = items.prefix(60).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        deleted.forEach(store.context.delete)
        interposer.arm(fault)
        do { try store.context.save() } catch { try check(store, besides: deleted.count, error) }
        guard interposer.hits() > 0 else { throw Violation("the map did not have to grow") }
        interposer.disarm()
        guard store.context.deletedObjects.count == deleted.count else {
            throw Violation("\(store.context.deletedObjects.count) deletions are left")
        }
        do { try store.context.save() } catch {
            throw Violation("stuck until the store is opened again: \(error)")
        }
        say("count saved again")
        return count - deleted.count
    }

    /// Looks at the store while the fault lasts.
    private func check(_ store: WorkStore, besides deletions: Int, _ error: any Error) throws {
        say("count failed")
        let other = WorkStore(besides: store)
        do {
            let found = try other.context.performAndWait { try other.all("Item").count }
            guard found > deletions else { throw Violation("\(found) items are left") }
        } catch let violation as Violation {
            throw violation
        } catch {
            guard fault.stays else { throw Violation("cannot read: \(error)") }
            say("count lost maps")
        }
    }

    /// Inserts items until the file is full; returns how many are in it.
    private func fill(_ store: WorkStore) throws -> Int {
        var count = 0
        while true {
            for number in count..<count + 5 {
                let item = WorkItem(context: store.context)
                item.name = "i\(10_000 + number)"
                item.blob = Data(repeating: UInt8(number % 256), count: 1_500)
            }
            do { try store.context.save() } catch {
                store.context.rollback()
                guard count > 0 else { throw error }
                return count
            }
            count += 5
        }
    }
}
