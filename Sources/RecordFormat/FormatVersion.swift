// SPDX-License-Identifier: Apache-2.0

/// The version of the file format that this library writes; `FileFormat.md` describes it.
public enum FormatVersion {
    /// The version written into new files.
    public static let current: UInt16 = 1
    /// The oldest version that can still be read.
    public static let oldestReadable: UInt16 = 1
    /// The first bytes of the `lode` entry of the `meta` database.
    public static let magic: [UInt8] = Array("LODE".utf8)
}
