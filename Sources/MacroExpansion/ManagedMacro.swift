// SPDX-License-Identifier: Apache-2.0

/// `@Managed`: gives a property of a managed object its accessors, the key they
/// use, and the methods of a to-many relationship.
///
/// The compiler asks twice, once for each role. Both answers are made from the
/// same declaration; only the peer's carries diagnostics, lest every error be
/// printed twice.
enum ManagedMacro: AttachedMacro {
    static let name = "Managed"

    static func expand(_ use: AttachedUse) -> Expansion {
        guard use.role == "accessor" || use.role == "peer" else {
            let misuse = Misuse("'@\(name)' has no role '\(use.role)'", at: 0..<0)
            return Expansion(diagnostics: [Diagnostic(misuse, in: use.attribute)])
        }
        let isPeer = use.role == "peer"
        switch resolve(use) {
        case .usable(let property, let key):
            return Expansion(
                source: isPeer ? peers(of: property, key: key) : accessors(of: property))
        case .unusable(let diagnostic):
            return isPeer
                ? Expansion(source: "", diagnostics: [diagnostic]) : Expansion(source: placeholder)
        }
    }

    private enum Resolution {
        case usable(PropertyDeclaration, key: String?)
        case unusable(Diagnostic)
    }

    private static func resolve(_ use: AttachedUse) -> Resolution {
        if let objection = LexicalContext.objection(to: use.context, macro: name) {
            let misuse = Misuse(objection, at: TokenCursor(use.attribute.source).range)
            return .unusable(Diagnostic(misuse, in: use.attribute))
        }
        let property: PropertyDeclaration
        do {
            property = try PropertyDeclaration(parsing: use.declaration.source, macro: name)
        } catch {
            return .unusable(Diagnostic(error, in: use.declaration))
        }
        if let objection = UnsupportedType.objection(to: property.type, macro: name) {
            let misuse = Misuse(objection, at: property.typeRange)
            return .unusable(Diagnostic(misuse, in: use.declaration))
        }
        do {
            return .usable(property, key: try MacroArguments.key(in: use.attribute.source))
        } catch {
            return .unusable(Diagnostic(error, in: use.attribute))
        }
    }
}
