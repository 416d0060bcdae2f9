// SPDX-License-Identifier: Apache-2.0

/// The state of a data file and of its map at one moment.
public struct EnvironmentInfo: Sendable, Equatable {
    /// The address space the file is mapped into, in bytes.
    public let mapSizeBytes: Int
    /// The part of the file that pages have been handed out from, in bytes.
    ///
    /// It contains free pages too, and may be larger than the file, when the
    /// last pages were freed before they were ever written.
    public let usedBytes: Int
    /// The number of the newest commit.
    public let lastTransactionID: UInt64
    /// The number of reader slots that have been taken, over all processes.
    public let readerSlotsUsed: Int
    /// The largest number of reader slots.
    public let maxReaders: Int
    /// The size of the data file, in bytes.
    public let fileSizeBytes: Int
}
