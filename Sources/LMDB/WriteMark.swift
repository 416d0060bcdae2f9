// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file beside a data file that says that it was written to and not closed yet.
///
/// It is made with the first write, named like the data file with `-open` behind it, and removed by
/// the last writer that closes the file. Every writer holds a shared lock on it, which the system
/// releases when the process ends, however it ends: so an unlocked mark was left by a process that
/// was killed or crashed, or by a machine that went down.
///
/// Each writer adds a line with the run of the machine and the weakest durability of its commits,
/// and syncs it, and the folder, before the first of them. A process that dies leaves an intact
/// file, as the system has everything it wrote; only a machine that goes down loses pages, and only
/// those of unsynced commits. See ``WriteMark/asksForCheck(_:boot:)``.
///
/// The locks belong to the open file, as those of `flock` do, but can be asked for without being
/// taken: processes that look at a mark at the same time do not take each other for writers.
struct WriteMark {
    static let suffix = "-open"

    private let path: String
    private let descriptor: Int32

    /// Makes or joins the mark of a data file; nil if the folder cannot be written to, or if the
    /// mark is a hard link to another file.
    init?(of dataPath: String) {
        path = dataPath + WriteMark.suffix
        // Another process may be removing the mark at this moment.
        for _ in 0..<100 {
            let flags = O_RDWR | O_CREAT | O_APPEND
            guard let descriptor = try? PlainFile.open(path, flags, allowsLink: false) else {
                return nil
            }
            var status = stat()
            let isLocked = OpenFileLock(descriptor: descriptor).set(F_RDLCK)
            // Some file systems have no locks.
            let mayTryAgain = isLocked || errno == EAGAIN || errno == EACCES
            let links = fstat(descriptor, &status) == 0 ? status.st_nlink : 0
            if isLocked, links == 1 {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
            // A mark never has a second name: the content would be another program's.
            guard mayTryAgain, links <= 1 else { return nil }
            pauseBriefly()
        }
        return nil
    }

    /// Adds the durability of the commits to come, and waits until that is on the disk.
    ///
    /// - Parameter joinsUnchecked: Whether the mark was left behind, and the file was not checked
    ///   since.
    func note(_ durability: Durability, joinsUnchecked: Bool) {
        let content = WriteMark.content(of: descriptor)
        var added = WriteMark.line(BootID.current, durability)
        let isKnown = content.split(separator: 10).contains { added.dropLast().elementsEqual($0) }
        // A mark without lines asks for a check, and must still do so with this line.
        if joinsUnchecked, content.isEmpty { added = WriteMark.line(nil, .none) + added }
        if !isKnown {
            _ = added.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        fsync(descriptor)
        _ = FileSystem.syncFolder(FileSystem.folder(of: path))
    }

    /// Releases the mark, and removes it unless another writer holds it.
    ///
    /// - Parameter isWanted: Whether to leave it where it is: it still asks for a check.
    func end(isWanted: Bool = false) {
        let lock = OpenFileLock(descriptor: descriptor)
        // Where the data file was replaced, the mark there is that of the new one.
        if !isWanted, lock.set(F_WRLCK),
            FileIdentity(path: path) == FileIdentity(descriptor: descriptor)
        {
            unlink(path)
        }
        // A program that this process is starting may have the open file for a moment more.
        _ = lock.set(F_UNLCK)
        close(descriptor)
    }

    /// Whether a data file has an unlocked mark that says that pages may be missing.
    static func asksForCheck(_ dataPath: String) -> Bool {
        guard let descriptor = openExisting(dataPath) else { return false }
        defer { close(descriptor) }
        return isAbandoned(descriptor)
            && asksForCheck(content(of: descriptor), boot: BootID.current)
    }

    /// Whether a living process holds the mark of a data file, and so writes to it.
    static func isHeld(_ dataPath: String) -> Bool {
        guard let descriptor = openExisting(dataPath) else { return false }
        defer { close(descriptor) }
        return !isAbandoned(descriptor)
    }

    /// Throws if the mark's name is taken by something other than a file, such as a symbolic link.
    static func check(_ dataPath: String) throws(LMDBError) {
        try PlainFile.check(
            dataPath + suffix, allowsLink: false,
            during: "Opening the file with \(suffix) behind its name")
    }

    private static func openExisting(_ dataPath: String) -> Int32? {
        try? PlainFile.open(dataPath + suffix, O_RDONLY, allowsLink: false)
    }

    /// Whether no process holds a mark.
    private static func isAbandoned(_ descriptor: Int32) -> Bool {
        OpenFileLock(descriptor: descriptor).isFree == true
    }

    /// Whether the lines of a mark say that pages may be missing: the machine has gone down since,
    /// and some commits were not synced.
    ///
    /// Anything but such lines is taken for that: older versions left the mark empty.
    static func asksForCheck(_ content: [UInt8], boot: String?) -> Bool {
        guard content.last == 10 else { return true }
        return content.dropLast().split(separator: 10, omittingEmptySubsequences: false)
            .contains { line in
                let words = String(decoding: line, as: UTF8.self).split(
                    separator: " ", omittingEmptySubsequences: false)
                guard words.count == 2, !words[0].isEmpty else { return true }
                switch words[1] {
                case "full", "relaxed": return false
                case "none": return boot.map { $0 != words[0] } ?? true
                default: return true
                }
            }
    }

    private static func line(_ boot: String?, _ durability: Durability) -> [UInt8] {
        Array("\(boot ?? "-") \(durability.name)\n".utf8)
    }

    private static func content(of descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, count)))
    }
}
