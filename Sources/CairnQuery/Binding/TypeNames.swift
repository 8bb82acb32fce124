internal import CairnPredicate
internal import CairnStorage

/// What types are called in messages.
enum TypeNames {
    static func name(of kind: ValueKind) -> String {
        switch kind {
        case .bool: "a Bool"
        case .int: "an Int"
        case .float: "a Float"
        case .double: "a Double"
        case .date: "a Date"
        case .string: "a String"
        case .binary: "a Data"
        case .objectId: "an ObjectId"
        case .uuid: "a UUID"
        case .decimal: "a Decimal128"
        case .link: "a link"
        case .backlinks: "a collection of linking objects"
        }
    }

    static func name(of literal: Literal) -> String {
        switch literal {
        case .null: "nil"
        case .bool: "a Bool"
        case .int: "an Int"
        case .float: "a Float"
        case .double: "a Double"
        case .string: "a String"
        case .bytes: "a Data"
        case .date: "a Date"
        case .objectID: "an ObjectId"
        case .uuid: "a UUID"
        case .decimal: "a Decimal128"
        case .object: "an object"
        case .array: "a collection"
        }
    }
}
