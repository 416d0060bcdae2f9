// SPDX-License-Identifier: Apache-2.0

import Schema

/// All objects of a registry.
extension ObjectRegistry {
    /// All registered objects, in no order.
    ///
    /// Objects released on other threads meanwhile are not among them and have no cell afterwards.
    @inlinable package var objects: [Object] {
        mutating get { objects { _ in true } }
    }

    /// The registered objects that pass a test of their plain values.
    @inlinable
    package mutating func objects(where isWanted: (Object) -> Bool) -> [Object] {
        var objects: [Object] = []
        // SAFETY: the memory of what a cell holds is there, see `settle`; the walk empties none.
        // The key is a plain value.
        var going: [(Unmanaged<Object>, ObjectKey)] = []
        objects.reserveCapacity(count)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            segment.forEach(inFirst: isLast ? usedBlocks : segment.blockCount) { cell in
                guard cell._withUnsafeGuaranteedRef(isWanted) else { return }
                if let object = cell.living {
                    objects.append(object)
                } else {
                    going.append((cell, cell._withUnsafeGuaranteedRef { $0.key }))
                }
            }
        }
        for (cell, key) in going {
            // It may have been settled together with another one, and its memory freed.
            guard select(key), withCell(key, { $0.cells[$1] })?.toOpaque() == cell.toOpaque()
            else { continue }
            settle(cell, key)
        }
        return objects
    }

    /// Forgets all objects and has them leave their owner.
    @inlinable
    package mutating func removeAll() {
        for object in takeAll() { object.dismiss() }
    }

    /// Forgets all objects and returns those that are still alive.
    @inlinable
    package mutating func takeAll() -> [Object] {
        let all = objects
        clear()
        return all
    }
}
