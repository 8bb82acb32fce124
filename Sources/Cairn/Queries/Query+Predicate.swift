internal import CairnPredicate
internal import Foundation

extension Query where T == Bool {
    /// The query as predicate text with its arguments, as `NSPredicate(format:argumentArray:)` takes them.
    ///
    /// A query with a mistake in it traps.
    public func _constructPredicate() -> (String, [Any]) {
        do throws(RealmError) {
            let stated = try StatedPredicate(self)
            let text = PredicateText(stated.condition, isTemplate: true)
            return (text.text, text.arguments.map { $0.value(objects: stated.objects) ?? NSNull() })
        } catch {
            Misuse.trap(error)
        }
    }
}

extension Query {
    /// For test code: the query that the closure of `where` is given.
    public static func _constructForTesting() -> Query<T> { Query() }
}

extension StatedPredicate {
    /// What a query in Swift states.
    ///
    /// - Throws: `misuse` for what no query can say, `invalidValue` for a value that none can take.
    package init(_ query: Query<Bool>) throws(RealmError) {
        let content = query.content.asCondition
        if let fault = content.fault { throw fault }
        guard case .condition(let condition) = content.form else {
            throw RealmError(.misuse, "A query must come to a condition.")
        }
        self.init(condition: condition, objects: content.objects)
    }

    /// What the closure of `where` says of the objects of a class.
    package init<Element>(
        where isIncluded: (Query<Element>) -> Query<Bool>
    ) throws(RealmError) {
        try self.init(isIncluded(Query<Element>()))
    }
}

extension Literal {
    /// A value of the program that the literal is made of again; nil for null.
    fileprivate func value(objects: [ObjectBase]) -> Any? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .int(let value): Int(value)
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .bytes(let bytes): Data(bytes)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .objectID(let high, let low): ObjectId(high: high, low: low)
        case .uuid(let high, let low): UUID(high: high, low: low)
        case .decimal(let high, let low): Decimal128(low: low, high: high)
        case .object(let place): objects[Int(place)]
        case .array(let elements): elements.map { $0.value(objects: objects) ?? NSNull() }
        }
    }
}

extension ObjectId {
    fileprivate init(high: UInt64, low: UInt32) {
        self.init(
            UInt32(truncatingIfNeeded: high >> 32).bigEndian, UInt32(truncatingIfNeeded: high).bigEndian,
            low.bigEndian)
    }
}

extension UUID {
    fileprivate init(high: UInt64, low: UInt64) {
        self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}
