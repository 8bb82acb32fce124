internal import CairnPredicate
internal import CairnQuery
internal import CairnStorage

/// The names of a program's classes and properties, and the objects of a predicate, for binding.
struct RealmNames: QueryNames {
    private let session: RealmSession
    private let tables: ClassTables
    private let objects: [ObjectBase]

    init(_ session: RealmSession, _ tables: ClassTables, objects: [ObjectBase]) {
        self.session = session
        self.tables = tables
        self.objects = objects
    }

    private func access(_ table: SpaceID) -> UnsafeMutablePointer<ClassAccess>? {
        for ordinal in tables.models.indices where (tables.accesses + ordinal).table.definition.space == table
        {
            return tables.accesses + ordinal
        }
        return nil
    }

    private func schema(_ access: UnsafeMutablePointer<ClassAccess>) -> ObjectSchema {
        tables.models[access.pointee.ordinal].schema
    }

    func property(_ name: String, of table: SpaceID) -> QueryProperty? {
        guard let access = access(table) else { return nil }
        let properties = schema(access).allProperties
        guard let ordinal = schema(access).ordinal(inProgramOrFile: name) else { return nil }
        guard properties[ordinal].isComputed else {
            return .column(access.table.definition.columns[access.position(ordinal)].id)
        }
        guard let origin = access.pointee.targets[ordinal], let link = properties[ordinal].originPropertyName,
            let place = schema(origin).allProperties.firstIndex(where: { $0.name == link })
        else { return nil }
        return .backlinks(
            origin: origin.table.definition.space,
            link: origin.table.definition.columns[origin.position(place)].id)
    }

    func propertyNames(of table: SpaceID) -> [String] {
        access(table).map { schema($0).allProperties.map(\.name) } ?? []
    }

    func className(of table: SpaceID) -> String {
        access(table).map { schema($0).className } ?? "a class that is not in the schema"
    }

    func row(ofObject number: UInt64, in table: SpaceID) throws(QueryError) -> RowKey? {
        let object = objects[Int(number)]
        guard let other = object.session else { return nil }
        guard other.store === session.store else {
            throw QueryError(
                .foreignObject,
                "An object of '\(object.model?.schema.className ?? "another class")' belongs to another Realm."
            )
        }
        // A deleted object equals none.
        guard object.isValid, let model = object.model else { return nil }
        let wanted = className(of: table)
        guard model.schema.className == wanted else {
            throw QueryError(
                .typeMismatch,
                "An object of '\(model.schema.className)' cannot be compared with objects of '\(wanted)'.")
        }
        return RowKey(object.row)
    }
}

extension ObjectSchema {
    /// The ordinal of a property. A name in the program counts before a name in the file.
    func ordinal(inProgramOrFile name: String) -> Int? {
        allProperties.firstIndex { $0.name == name } ?? allProperties.firstIndex { $0.columnName == name }
    }

    func property(inProgramOrFile name: String) -> Property? {
        ordinal(inProgramOrFile: name).map { allProperties[$0] }
    }
}

extension RealmError {
    /// What is wrong with a predicate, with the text and a mark under the place where there is a text.
    init(_ error: QueryError, in text: String?) {
        var message = error.message
        if let text, let range = error.place.range { message += "\n\(Excerpt(range, of: text))" }
        self.init(.invalidInput, message)
    }
}
