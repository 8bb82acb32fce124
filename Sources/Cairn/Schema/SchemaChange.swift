/// One difference between a class of the program and its table in a file that only a migration can bridge.
struct SchemaChange: Hashable, Sendable {
    /// What is different. Types are as a person would write them.
    enum Kind: Hashable, Sendable {
        case added(Property)
        /// The stored name.
        case removed(String, type: String)
        case changedType(Property, from: String)
        case madeOptional(Property, from: String)
        case madeRequired(Property, from: String)
        case primaryKey(from: String?, to: String?)
        case embedded(Bool)
    }

    let className: String
    let kind: Kind

    /// The line that says it.
    var line: String {
        switch kind {
        case .added(let property): "- Property '\(className).\(property.columnName)' has been added."
        case .removed(let name, _): "- Property '\(className).\(name)' has been removed."
        case .changedType(let property, let old):
            """
            - Property '\(className).\(property.columnName)' has been changed from '\(old)' to \
            '\(property.typeText)'.
            """
        case .madeOptional(let property, let old):
            """
            - Property '\(className).\(property.columnName)' has been made optional ('\(old)' to \
            '\(property.typeText)').
            """
        case .madeRequired(let property, let old):
            """
            - Property '\(className).\(property.columnName)' has been made required ('\(old)' to \
            '\(property.typeText)').
            """
        case .primaryKey(let old?, let new?):
            "- Primary key for class '\(className)' has been changed from '\(old)' to '\(new)'."
        case .primaryKey(let old?, nil): "- Primary key '\(className).\(old)' has been removed."
        case .primaryKey(nil, let new): "- Primary key '\(className).\(new ?? "")' has been added."
        case .embedded(let isEmbedded):
            "- Class '\(className)' has been changed to \(isEmbedded ? "embedded" : "top-level")."
        }
    }

    /// The line for a program that is at work with the old classes, whose file another one has changed.
    var lineForOlderProgram: String {
        if case .added(let property) = kind {
            return "- Property '\(className).\(property.columnName)' has been removed."
        }
        return line
    }

    /// Whether a program that was at work with the old classes can go on with the file: what it does not
    /// know of does not disturb it.
    var isHarmlessToOlderProgram: Bool {
        if case .removed = kind { return true }
        return false
    }
}
