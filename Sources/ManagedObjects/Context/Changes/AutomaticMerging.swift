// SPDX-License-Identifier: Apache-2.0

import Schema

/// Whether a context merges the saves beneath it by itself.
struct AutomaticMerging {
    /// What the program has asked for.
    var isOn = false
    /// The saves to merge, while the context merges them by itself.
    var mailbox: ContextMailbox?
    /// Objects that are gone without ever having been saved; children that know them are told with
    /// the next changes.
    var vanished: [ObjectKey] = []
}
