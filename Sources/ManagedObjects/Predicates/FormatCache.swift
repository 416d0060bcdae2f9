// SPDX-License-Identifier: Apache-2.0

import Predicates
import Synchronization

/// The predicate formats that were read lately: programs use the same few with other arguments.
enum FormatCache {
    private struct Known {
        let format: String
        /// One for each choice of key paths; none where the format has to be read each time.
        var templates: [PredicateTemplate] = []

        /// Whether it is of a text with the same bytes.
        ///
        /// Swift takes texts for equal that have the same characters in other bytes. The own one is
        /// of ASCII, of which all such forms are longer.
        func isOf(_ other: String) -> Bool {
            format.utf8.count == other.utf8.count && format == other
        }
    }

    private struct Formats {
        var all: [String: Known] = [:]
        /// Those asked for last, by the lengths of their texts: a literal is told by its address,
        /// where a table would hash it.
        var recent = Array(repeating: Known(format: ""), count: 16)

        mutating func templates(of format: String) -> [PredicateTemplate]? {
            let place = format.utf8.count % recent.count
            if recent[place].isOf(format) { return recent[place].templates }
            guard let known = all[format], known.isOf(format) else { return nil }
            recent[place] = known
            return known.templates
        }

        /// - Parameter count: The templates that the format had when this one was missing.
        mutating func add(_ template: PredicateTemplate?, of format: String, after count: Int) {
            if all.count >= FormatCache.greatestCount { self = Formats() }
            var known = all[format] ?? Known(format: format)
            // Another thread may have added it meanwhile.
            guard known.templates.count == count else { return }
            if let template { known.templates.append(template) }
            all[format] = known
            recent[format.utf8.count % recent.count] = known
        }
    }

    // Any thread makes predicates.
    private static let formats = Mutex(Formats())

    /// With more formats, as from a program that writes constants into them, all are forgotten.
    static var greatestCount: Int { 256 }
    /// Longer formats are hardly used twice.
    private static var greatestLength: Int { 512 }
    private static var mostKeyPaths: Int { 4 }

    /// The tree of a format, as reading it gives.
    ///
    /// - Throws: ``PredicateSyntaxError``.
    static func tree(_ format: String, _ arguments: [Argument]) throws -> PredicateTree {
        let known = formats.withLock { $0.templates(of: format) }
        if let known {
            for template in known {
                if let tree = template.predicate(arguments) { return tree }
            }
        }
        let tree = try PredicateTree(format: format, arguments: arguments)
        if let known, known.isEmpty || known.count >= mostKeyPaths { return tree }
        guard format.utf8.count <= greatestLength, format.utf8.allSatisfy({ $0 < 0x80 }) else {
            return tree
        }
        let template = PredicateTemplate(format: format, arguments: arguments)
        formats.withLock { $0.add(template, of: format, after: known?.count ?? 0) }
        return tree
    }

    /// How many formats are kept.
    static var count: Int { formats.withLock { $0.all.count } }
}
