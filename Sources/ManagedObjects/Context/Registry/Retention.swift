// SPDX-License-Identifier: Apache-2.0

/// The objects that a context keeps alive because the program has asked for it.
struct Retention {
    /// Whether new ones are kept as well.
    var isOn = false
    fileprivate var objects: [NSManagedObject] = []
}

extension NSManagedObjectContext {
    /// Does what ``retainsRegisteredObjects`` says.
    final func retainRegistered(_ isOn: Bool) {
        retention.isOn = isOn
        exchangeRetained(isOn ? registry.objects : [])
    }

    @inline(__always)
    final func retainIfAsked(_ object: NSManagedObject) {
        if retention.isOn { retention.objects.append(object) }
    }

    final func releaseRetained() { exchangeRetained([]) }

    private final func exchangeRetained(_ objects: [NSManagedObject]) {
        // Let go of only once others are in their place: that may run code of the program.
        let former = retention.objects
        retention.objects = objects
        withExtendedLifetime(former) {}
    }
}
