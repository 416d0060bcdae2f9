// SPDX-License-Identifier: Apache-2.0

import Traps

/// A column's chunks for the code that keeps them in a file.
extension Column {
    /// Whether any chunk may differ from the file.
    package var isDirty: Bool { dirtyCount > 0 }

    /// The chunks that may differ from the file, ascending.
    package var dirtyChunks: [Int] {
        dirtyCount > 0 ? usedSlots.filter { slots[$0].isDirty } : []
    }

    /// The chunks that the file has, or had before others removed them, as far as the column knows.
    package var storedChunks: [Int] {
        usedSlots.filter { chunk in
            // A conflict is left with a base of the file, and the version from before it.
            slots[chunk].version != 0 || slots[chunk].base != nil
                || slots[chunk].bytes != nil && !slots[chunk].isDirty
        }
    }

    /// The number of the commit that wrote a chunk; 0 for one that the file lacks.
    package func version(of chunk: Int) -> UInt64 {
        chunk < slotCount ? slots[chunk].version : 0
    }

    /// Whether a chunk may differ from the file.
    package func isDirty(_ chunk: Int) -> Bool { chunk < slotCount && slots[chunk].isDirty }

    /// Whether a row has a value.
    package func hasValue(_ row: Int) -> Bool { has(row) }

    /// The rows of a chunk with a value.
    package func count(of chunk: Int) -> Int { chunk < slotCount ? slots[chunk].count : 0 }

    /// The bytes of a chunk; nil while no row has a value.
    package func bytes(of chunk: Int) -> UnsafeRawBufferPointer? {
        guard chunk < slotCount, let bytes = slots[chunk].bytes else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: layout.size)
    }

    /// The bytes of a chunk when it was saved last; nil for a clean one, and if it had no values.
    package func base(of chunk: Int) -> UnsafeRawBufferPointer? {
        guard chunk < slotCount, let base = slots[chunk].base else { return nil }
        return UnsafeRawBufferPointer(start: base, count: layout.size)
    }

    /// The bytes of a chunk when it was saved last; nil if it had no values.
    package func storedBytes(of chunk: Int) -> UnsafeRawBufferPointer? {
        isDirty(chunk) ? base(of: chunk) : bytes(of: chunk)
    }

    /// The rows that have a value here and none in another column, ascending.
    package func rows(missingIn other: Column) -> [Int] {
        var rows: [Int] = []
        for slot in usedSlots {
            guard let presence = slots[slot].presence else { continue }
            for word in 0..<layout.words {
                let first = slot << layout.shift | word << 6
                let there = first >> other.layout.shift
                let bits =
                    there < other.slotCount
                    ? other.slots[there].presence?[(first & (other.layout.rows - 1)) >> 6] ?? 0 : 0
                for bit in Bits(presence[word] & ~bits) { rows.append(first | bit) }
            }
        }
        return rows
    }

    /// Takes a chunk over that the column does not have, as the file has it.
    ///
    /// What was there when the world was opened is neither new nor changed.
    ///
    /// - Parameter isMapped: Whether the bytes stay where they are, see ``settle(_:at:)``.
    package func load(
        _ chunk: Int, _ bytes: UnsafeRawBufferPointer, version: UInt64, isMapped: Bool = false
    ) {
        checkSize(bytes)
        use(chunk)
        guard slots[chunk].bytes == nil, let start = bytes.baseAddress else {
            trap("chunk \(chunk) of \(type.name) is loaded twice")
        }
        let view = ChunkView(bytes, layout)
        presenceVersion &+= 1
        setBytes(chunk, start, isMapped: isMapped)
        slots[chunk].version = version
        slots[chunk].count = view.count
        count += view.count
        guard links != nil else { return }
        for word in 0..<layout.words {
            addLinks(Bits(view.presence(word)).map { chunk << layout.shift | word << 6 | $0 })
        }
    }

    /// Makes a chunk what bytes say, noting what thereby came, changed and went.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - bytes: A whole chunk, or nil for one without values.
    ///   - isMapped: Whether the bytes stay where they are, see ``settle(_:at:)``; the chunk is to
    ///     be clean then.
    ///   - tick: The tick of the changes.
    package func replace(
        _ chunk: Int, with bytes: UnsafeRawBufferPointer?, isMapped: Bool = false, _ tick: UInt64
    ) {
        checkSize(bytes)
        guard bytes != nil || chunk < slotCount else { return }
        use(chunk)
        presenceVersion &+= 1
        let new = ChunkView(bytes, of: self)
        let relinked = removeLinks(chunk, differingIn: new)
        defer { addLinks(relinked) }
        let old = ChunkView(self.bytes(of: chunk), layout)
        for word in 0..<layout.words {
            let differences = new.differences(old, word)
            // A link has no value to change: one with other ends is another one.
            let replaced = links == nil ? 0 : differences
            let gone = old.presence(word) & ~new.presence(word) | replaced
            for bit in Bits(gone) {
                let row = word << 6 | bit
                if let value = old.value(row) {
                    removals.append(chunk << layout.shift | row, tick, value, layout.stride)
                }
            }
            slots[chunk].added.forget(word, gone)
            slots[chunk].changed.forget(word, gone)
            let came = new.presence(word) & ~old.presence(word) | replaced
            let changed = came | differences
            if came != 0 { slots[chunk].added.mark(word, came, tick, layout) }
            if changed != 0 { slots[chunk].changed.mark(word, changed, tick, layout) }
        }
        let oldCount = slots[chunk].count
        slots[chunk].count = new.count
        count += new.count - oldCount
        if let start = bytes?.baseAddress {
            if !isMapped, !slots[chunk].isMapped, let room = slots[chunk].bytes {
                room.copyMemory(from: start, byteCount: layout.size)
            } else {
                dropBytes(chunk)
                setBytes(chunk, start, isMapped: isMapped)
            }
        } else {
            dropBytes(chunk)
        }
    }

    func checkSize(_ bytes: UnsafeRawBufferPointer?) {
        require(
            bytes == nil || bytes?.count == layout.size,
            "a chunk of \(bytes?.count ?? 0) bytes for \(type.name), whose chunks have "
                + "\(layout.size)")
    }

    /// Notes that a chunk is as the file has it.
    package func becomeClean(_ chunk: Int, version: UInt64) {
        dropBase(chunk)
        if slots[chunk].isDirty { dirtyCount -= 1 }
        slots[chunk].isDirty = false
        slots[chunk].version = version
        if slots[chunk].count == 0 { free(chunk) }
    }

    /// Notes what the file has now of a chunk that is still different here.
    ///
    /// - Parameter isMapped: Whether the bytes stay where they are, see ``settle(_:at:)``.
    package func rebase(
        _ chunk: Int, to bytes: UnsafeRawBufferPointer?, version: UInt64, isMapped: Bool
    ) {
        checkSize(bytes)
        dropBase(chunk)
        if let start = bytes?.baseAddress { setBase(chunk, start, isMapped: isMapped) }
        slots[chunk].version = version
    }

    /// Notes what the file has now of a chunk but for rows whose conflicts are left for later.
    package func rebase(
        _ chunk: Int, to bytes: UnsafeRawBufferPointer?, exceptFor conflicts: [Int]
    ) {
        checkSize(bytes)
        let new = ChunkMerge.base(
            base(of: chunk), with: bytes, exceptFor: conflicts, layout: layout)
        dropBase(chunk)
        new.withUnsafeBytes {
            if let start = $0.baseAddress { setBase(chunk, start, isMapped: false) }
        }
    }

    /// Makes a chunk ready to differ from the file.
    package func beginWriting(_ chunk: Int) { prepareToWrite(chunk) }

    /// Gives a row what the file has there.
    package func takeBack(_ row: Int, _ tick: UInt64) {
        guard isDirty(row >> layout.shift) else { return }
        let stored = ChunkView(base(of: row >> layout.shift), of: self)
        let local = row & (layout.rows - 1)
        remove(row, tick)
        guard stored.has(local), let value = stored.value(local) else { return }
        insert(row, tick).copyMemory(from: value, byteCount: layout.stride)
        links?.add(row, LinkTable.Ends(value))
    }

    /// Whether a row has what the file has there.
    package func isStored(_ row: Int) -> Bool {
        let (chunk, local) = (row >> layout.shift, row & (layout.rows - 1))
        let one = ChunkView(storedBytes(of: chunk), of: self)
        let other = ChunkView(bytes(of: chunk), of: self)
        guard one.has(local) == other.has(local) else { return false }
        return one.differences(other, local >> 6) >> UInt64(local & 63) & 1 == 0
    }

    /// Takes a value back that came in this tick, as if it had never been there.
    package func forget(_ row: Int) {
        if has(row) { erase(row, layout.stride) }
    }

    /// Takes all unsaved changes of a chunk back.
    package func discard(_ chunk: Int, _ tick: UInt64) {
        let isMapped = chunk < slotCount && slots[chunk].isBaseMapped
        replace(chunk, with: base(of: chunk), isMapped: isMapped, tick)
        becomeClean(chunk, version: slots[chunk].version)
    }
}
