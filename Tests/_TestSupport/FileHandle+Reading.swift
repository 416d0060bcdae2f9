// SPDX-License-Identifier: Apache-2.0

import Foundation

extension FileHandle {
    /// Everything up to the end of the file, however often a signal interrupts the reading.
    ///
    /// Foundation's own method ends the process where a child's end interrupts a read.
    public func readAll() throws -> Data {
        var data = Data()
        while true {
            do {
                guard let more = try read(upToCount: 65_536), !more.isEmpty else { return data }
                data += more
            } catch let error as CocoaError where error.isInterruption {
                continue
            }
        }
    }
}

extension CocoaError {
    fileprivate var isInterruption: Bool {
        (userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(EINTR)
    }
}
