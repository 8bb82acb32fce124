/// The classes that a Realm can store.
public struct Schema: Sendable {
    /// One a class, by name.
    public let objectSchema: [ObjectSchema]

    package init(_ objectSchema: [ObjectSchema]) {
        self.objectSchema = objectSchema
    }

    /// The schema of the class of that name, or nil.
    public subscript(className: String) -> ObjectSchema? {
        objectSchema.first { $0.className == className }
    }
}

extension Schema: Equatable {
    public static func == (left: Schema, right: Schema) -> Bool {
        left.objectSchema.count == right.objectSchema.count
            && left.objectSchema.allSatisfy { mine in
                right[mine.className].map { $0 == mine } ?? false
            }
    }
}

extension Schema: CustomStringConvertible {
    public var description: String {
        let lines = objectSchema.map { "\t" + $0.description.replacing("\n", with: "\n\t") }
        return "Schema {\n" + lines.joined(separator: "\n") + "\n}"
    }
}
