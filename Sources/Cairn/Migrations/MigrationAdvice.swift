internal import CairnStorage

/// Says that a file needs a migration: each change, and the lines to write.
struct MigrationAdvice {
    private let changes: [SchemaChange]
    private let storedVersion: UInt64

    init(_ changes: [SchemaChange], storedVersion: UInt64) {
        self.changes = changes
        self.storedVersion = storedVersion
    }

    func error(_ settings: SessionSettings) -> RealmError {
        let version = storedVersion + 1
        return RealmError(
            .schemaMismatch,
            """
            Migration is required due to the following errors:
            \(changes.map(\.line).joined(separator: "\n"))
            Raise the schema version of the configuration. What is not said in a migration block is done by \
            itself: added properties get their declared defaults, removed ones go, changed types begin anew.
                configuration.schemaVersion = \(version)
            \(block(version))
            """, fileURL: settings.fileURL)
    }

    /// The block that keeps what would be lost; a hint where nothing would.
    private func block(_ version: UInt64) -> String {
        let classes = changes.map(\.className).reduce(into: [String]()) { names, name in
            if names.last != name { names.append(name) }
        }
        let lines = classes.flatMap { self.lines(of: $0) }
        guard !lines.isEmpty else { return "No migration block is needed." }
        return """
                configuration.migrationBlock = { migration, oldSchemaVersion in
                    if oldSchemaVersion < \(version) {
            \(lines.map { String(repeating: " ", count: 12) + $0 }.joined(separator: "\n"))
                    }
                }
            """
    }

    private func lines(of name: String) -> [String] {
        let own = changes.filter { $0.className == name }
        var removed: [(name: String, type: String)] = []
        var added: [Property] = []
        var copies: [String] = []
        for change in own {
            switch change.kind {
            case .removed(let name, let type): removed.append((name, type))
            case .added(let property): added.append(property)
            case .changedType(let property, let old):
                copies.append(
                    "    // '\(old)' becomes '\(property.typeText)': convert the value, or it is lost.")
                copies.append("    new?[\"\(property.name)\"] = old?[\"\(property.columnName)\"]")
            case .madeRequired(let property, _) where property.isArray:
                copies.append(
                    "    // nil in '\(property.name)' becomes the type's zero, if nothing else is said.")
                copies.append("    new?[\"\(property.name)\"] = /* \(property.typeText) */")
            case .madeRequired(let property, _):
                copies.append(
                    "    // nil becomes the declared default, if nothing else is said.")
                copies.append(
                    "    if old?[\"\(property.columnName)\"] == nil { new?[\"\(property.name)\"] = /* \(property.typeText) */ }"
                )
            case .primaryKey(_, let key?):
                copies.append("    // Each object needs a key of its own.")
                copies.append("    new?[\"\(key)\"] = /* a key */")
            case .madeOptional, .primaryKey, .embedded: break
            }
        }
        var lines: [String] = []
        for old in removed {
            guard let new = added.first(where: { $0.typeText == old.type || $0.typeText == old.type + "?" })
            else {
                continue
            }
            lines.append("// If '\(old.name)' is called '\(new.name)' now:")
            lines.append(
                "migration.renameProperty(onType: \"\(name)\", from: \"\(old.name)\", to: \"\(new.name)\")")
            added.removeAll { $0 == new }
        }
        guard !copies.isEmpty else { return lines }
        lines.append("migration.enumerateObjects(ofType: \"\(name)\") { old, new in")
        return lines + copies + ["}"]
    }
}
