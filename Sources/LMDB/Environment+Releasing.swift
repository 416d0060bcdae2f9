// SPDX-License-Identifier: Apache-2.0

import CLMDB

extension Environment {
    /// How much a file grows at least between two releases of its pages, in bytes.
    private static let growthBetweenReleases = 16 << 20
    /// The same as a part of the file: of a larger one more is mapped, and released each time.
    private static let growthOfFile = 8

    /// Takes the pages of the map out of the process's memory, after a commit that made the file
    /// grow by another step.
    ///
    /// An import goes through the whole file in the end, as its keys come in no order. Without this
    /// its memory would grow with the file: the kernel takes mapped pages back only where it needs
    /// them. They stay in its page cache, so that reading one again costs a fault and no disk.
    ///
    /// The caller holds `writeLock`, so that the map stays where it is. Other threads may read.
    func releasePagesIfGrown() {
        // Memory without a file has nowhere to go.
        guard !options.isTemporary else { return }
        var info = MDB_envinfo()
        guard mdb_env_info(handle, &info) == MDB_SUCCESS else { return }
        // Another program may have written more by now than this one has mapped.
        let used = min((info.me_last_pgno + 1) * pageSizeBytes, info.me_mapsize)
        guard let last = releasedAt else { return releasedAt = used }
        guard used - last >= max(Self.growthBetweenReleases, used / Self.growthOfFile) else {
            return
        }
        // Only a hint: where it cannot be given, the pages stay.
        _ = lode_release_map(handle, used)
        releasedAt = used
    }
}
