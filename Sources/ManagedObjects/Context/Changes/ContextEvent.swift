// SPDX-License-Identifier: Apache-2.0

/// Where a context is in its event: the changes since they were processed last.
struct ContextEvent {
    /// Whether the next change begins an event that the main queue has to end.
    var awaitsChange: Bool
    /// Whether the main queue has been asked to end an event.
    var isTurnEndAwaited = false
    /// Whether delete rules have still to be applied.
    var hasDeletions = false
    /// Whether all objects are being refreshed, after which both sides of relationships are made
    /// to agree.
    var isRefreshingAll = false
    /// Whether the changes are being processed.
    var isProcessing = false
    /// The link along which an object is being deleted.
    var cascade: CascadeLink?
    /// The states of objects from before the event, while something needs them.
    var capture: EventCapture?
    /// The live ordered sets that have changed last: programs ask for one with each change, and
    /// making one takes as long as it has members.
    var orderedSets: [MutableOrderedMembers] = []
}
