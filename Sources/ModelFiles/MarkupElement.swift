// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document, with its attributes and the elements in it.
///
/// Text between elements is left out: model files have none.
struct MarkupElement: Sendable, Hashable {
    /// The name of the tag.
    let name: String
    /// The values of the attributes by their names.
    let attributes: [String: String]
    /// The line of the tag, from 1.
    let line: Int
    /// The elements in it, in their order.
    var children: [MarkupElement] = []

    /// The elements in it that have a name.
    func children(named name: String) -> [MarkupElement] {
        children.filter { $0.name == name }
    }
}

/// Typed values of attributes, as Xcode writes them.
extension MarkupElement {
    /// A name that must be there.
    func requiredText(_ attribute: String) throws(ModelFileError) -> String {
        guard let text = attributes[attribute], !text.isEmpty else {
            throw fault("<\(name)> has no \(attribute)")
        }
        return text
    }

    /// A text; nil where it is absent or empty.
    func text(_ attribute: String) -> String? {
        attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `YES` or `NO`; an attribute that is absent means no.
    func flag(_ attribute: String, orElse absent: Bool = false) throws(ModelFileError) -> Bool {
        guard let text = text(attribute) else { return absent }
        switch text.lowercased() {
        case "yes", "true", "1": return true
        case "no", "false", "0": return false
        default: throw fault("\(attribute)=\"\(text)\" is neither YES nor NO")
        }
    }

    /// A whole number that is not negative; 0 where it is absent.
    func count(_ attribute: String) throws(ModelFileError) -> Int {
        guard let text = text(attribute) else { return 0 }
        guard let number = Int(text), number >= 0 else {
            throw fault("\(attribute)=\"\(text)\" is no number of objects")
        }
        return number
    }

    /// A number of seconds.
    func seconds(_ attribute: String) throws(ModelFileError) -> Double? {
        guard let text = text(attribute) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw fault("\(attribute)=\"\(text)\" is no number of seconds")
        }
        return number
    }

    /// An error about the element.
    func fault(_ reason: String) -> ModelFileError { ModelFileError(reason, line: line) }
}
