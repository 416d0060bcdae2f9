// SPDX-License-Identifier: Apache-2.0

/// Whether a context merges the saves beneath it by itself.
struct AutomaticMerging {
    /// What the program has asked for.
    var isOn = false
    /// The saves to merge, while the context merges them by itself.
    var mailbox: ContextMailbox?
}
