internal import CairnStorage

/// What a migration block does to a file whose classes have changed.
///
/// - Parameters:
///   - migration: both sides of the file; of no use after the block.
///   - oldSchemaVersion: the version that the file has.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// A migration block that may throw: the file stays as it is then, and opening the Realm throws the error.
public typealias ThrowingMigrationBlock =
    @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// An object in a migration. On the old side its properties have their stored names.
public typealias MigrationObject = DynamicObject

/// What `enumerateObjects` calls.
public typealias MigrationObjectEnumerateBlock = (
    _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// A file on its way from the classes it was written with to those of the program.
///
/// When a migration block runs, all that can be done without it is done already: added properties have
/// their declared defaults, values stay where only "optional" has changed. The block does the rest.
///
/// ```swift
/// configuration.schemaVersion = 2
/// configuration.migrationBlock = { migration, oldVersion in
///     migration.renameProperty(onType: "Person", from: "name", to: "fullName")
///     migration.enumerateObjects(ofType: "Dog") { old, new in
///         new?["weight"] = Double(old?["weight"] as? String ?? "")
///     }
/// }
/// ```
///
/// The old side shows the file as it was before, whatever the block does. All of a migration is one
/// write: it becomes visible as a whole, or not at all. A mistake (a name that no property has, a value that
/// does not fit, …) ends loops over objects, and opening the Realm throws it.
///
/// - Note: For the thread that opens the Realm, and until the block returns.
public final class Migration {
    /// The classes as the file has them, under their stored names.
    public let oldSchema: Schema
    /// The classes of the program.
    public let newSchema: Schema

    let sides: MigrationSides
    let upgrade: SchemaUpgrade
    private let progress: MigrationProgress
    /// The ordinals, on the old side, of the classes that were gone through.
    private var enumerated: Set<Int> = []
    private(set) var isOver = false

    init(
        oldSchema: Schema, newSchema: Schema, _ sides: MigrationSides, _ upgrade: SchemaUpgrade,
        _ progress: MigrationProgress
    ) {
        self.oldSchema = oldSchema
        self.newSchema = newSchema
        self.sides = sides
        self.upgrade = upgrade
        self.progress = progress
        sides.new.role = MigrationRole(.new(self))
    }

    /// Ends it: what the block has kept is of no use.
    func end() {
        isOver = true
        // The new side's role, which holds this object, lets it go.
        sides.close()
    }

    // MARK: Going through objects

    /// Calls a block with every object of a class that was in the file and has not been deleted, on both
    /// sides.
    ///
    /// Of a class that the program has no more, without a new object; of one that the file had not, without an
    /// old one, for those created so far. Objects that are created or deleted meanwhile do not disturb it:
    /// pairs are of one row, and what is deleted before its turn is left out. A class that neither side has
    /// has no objects.
    ///
    /// - Parameters:
    ///   - typeName: the class's name.
    ///   - block: may keep the objects until the migration ends. Those it does not keep are used again for
    ///     the next pair.
    /// - Throws: what the block throws, which ends the loop.
    /// - Complexity: O(objects).
    public func enumerateObjects<Failure: Error>(
        ofType typeName: String,
        _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws(Failure) -> Void
    ) throws(Failure) {
        guard mayGoOn else { return }
        let new = sides.new.ordinal(named: typeName)
        if let old = sides.old.ordinal(named: typeName) {
            try enumerate(old, new, block)
        } else if let new {
            try enumerate(new: new, block)
        }
    }

    private func enumerate<Failure: Error>(
        _ old: Int, _ new: Int?, _ block: (MigrationObject?, MigrationObject?) throws(Failure) -> Void
    ) throws(Failure) {
        let counts = enumerated.insert(old).inserted
        var oldObject: MigrationObject?
        var newObject: MigrationObject?
        var pass = Pass()
        try sides.old.handle(old).table.forEachRow { row throws(Failure) in
            guard enters(row, &pass, counts: counts), isThere(row, old, new) else { return }
            let before = sides.object(sides.old, old, row, reusing: &oldObject)
            guard let new else { return try block(before, nil) }
            try block(before, sides.object(sides.new, new, row, reusing: &newObject))
        }
        if counts { progress.advance(by: pass.count) }
    }

    private func enumerate<Failure: Error>(
        new: Int, _ block: (MigrationObject?, MigrationObject?) throws(Failure) -> Void
    ) throws(Failure) {
        var object: MigrationObject?
        var pass = Pass()
        // The block may drop an index, and the table's columns move: each row is looked up anew.
        try sides.new.handle(new).table.forEachRow { row throws(Failure) in
            guard enters(row, &pass, counts: false) else { return }
            try block(nil, sides.object(sides.new, new, row, reusing: &object))
        }
    }

    /// How far a loop has come.
    private struct Pass {
        var block = UInt32.max
        /// Rows that were passed since progress was told.
        var count = 0
    }

    /// Whether the loop goes on with a row; between blocks what was unpacked is let go.
    private func enters(_ row: RowKey, _ pass: inout Pass, counts: Bool) -> Bool {
        if row.block != pass.block {
            guard mayGoOn else { return false }
            if counts { progress.advance(by: pass.count) }
            pass = Pass(block: row.block)
            sides.trim()
        }
        pass.count += 1
        return !sides.new.hasMistake
    }

    /// Whether the block has not deleted a row of the old side. Of a class that the program has no more,
    /// its table is there until the end.
    private func isThere(_ row: RowKey, _ old: Int, _ new: Int?) -> Bool {
        if let new { return sides.new.handle(new).table.contains(row) }
        let name = sides.old.models[old].schema.className
        // What it throws is damage, which the commit throws again.
        return (try? upgrade.engine.table(named: name))??.contains(row) ?? false
    }

    // MARK: Changing objects

    /// Makes an object of a class of the program.
    ///
    /// - Parameter value: a dictionary by property name, an array in the order of the properties, or an
    ///   object of either side. Links of the old side lead to the same objects on the new one; of
    ///   dictionaries and arrays for links objects are made. What is missing has its declared default.
    ///   Primary keys may be equal until the block ends.
    /// - Returns: the object; after a mistake one that takes no values.
    @discardableResult
    public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
        guard mayGoOn else { return .placeholder() }
        return MigrationCreation(self).create(typeName, from: value)
    }

    /// Deletes an object of the new side. Links to it become nil, lists lose it.
    public func delete(_ object: MigrationObject) {
        guard mayGoOn else { return }
        guard object.session === sides.new, let access = object.access, !object.wasHandedToDelete else {
            if object.isPlaceholder { return }
            let name = object.storedClassName
            return report(
                .misuse,
                object.session === sides.old
                    ? """
                    An object of class '\(name)' on the old side of a migration was to be deleted. That side is \
                    read-only: pass the new object.
                    """ : "An object of class '\(name)' was to be deleted that is not of this migration.",
                name)
        }
        guard object.isValid else { return }
        noting { () throws(StorageError) in
            try upgrade.engine.delete(RowKey(object.row), from: access.table)
        }
        object.wasHandedToDelete = true
    }

    /// Deletes all objects of a class; if the program does not have the class any more, all that the file
    /// has of it.
    ///
    /// - Returns: whether the file or the program has such a class.
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
        guard mayGoOn, let space = upgrade.engine.schema[typeName]?.space else { return false }
        noting { () throws(StorageError) in
            let table = try upgrade.engine.table(space)
            var rows: [RowKey] = []
            table.forEachRow { rows.append($0) }
            try upgrade.engine.delete(rows, from: table)
        }
        if sides.new.ordinal(named: typeName) == nil { upgrade.doom(space) }
        return true
    }

    /// Carries the values of a property over to one of another name.
    ///
    /// Not to be called inside `enumerateObjects`. Names can be exchanged by way of a third.
    ///
    /// - Parameters:
    ///   - oldName: the stored name in the file.
    ///   - newName: the name in the program. Its type is the same, but that it may be optional where the
    ///     old one is not.
    /// - Complexity: O(1), whatever the number of objects.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
        guard mayGoOn else { return }
        guard oldSchema[typeName] != nil else {
            return report(
                .misuse, "Cannot rename '\(typeName).\(oldName)': the file has no class '\(typeName)'.",
                typeName, oldName)
        }
        guard let ordinal = sides.new.ordinal(named: typeName) else {
            return report(
                .misuse,
                """
                Cannot rename '\(typeName).\(oldName)': the program has no class '\(typeName)' any more. Create \
                objects of the class that has taken its place.
                """, typeName, oldName)
        }
        do {
            try upgrade.rename(ordinal, from: oldName, to: newName)
            try sides.resolve()
        } catch let error as RealmError {
            Misuse.report(error, sides.new)
        } catch {
            noteFailure(error)
        }
    }

    // MARK: Mistakes

    /// Whether the block is running and has made no mistake: what comes after one would be undone.
    private var mayGoOn: Bool {
        guard !isOver else {
            Misuse.reportFatal(RealmError(.misuse, "A migration was used after its block had returned."))
            return false
        }
        return !sides.new.hasMistake
    }

    func report(
        _ code: RealmError.Code, _ message: String, _ className: String? = nil, _ property: String? = nil
    ) {
        Misuse.report(
            RealmError(code, message, className: className, propertyName: property), sides.new)
    }

    /// Carries out a change; what the engine throws fails the migration.
    func noting(_ change: () throws(StorageError) -> Void) {
        do throws(StorageError) { try change() } catch { noteFailure(error) }
    }

    private func noteFailure(_ error: any Error) {
        guard let failure = error as? StorageError else { return }
        sides.new.doom(RealmError(failure, file: sides.new.settings.fileURL))
    }
}

extension Migration: MigrationWriting {
    func suspendKey(ofClass ordinal: Int) {
        let access = sides.new.handle(ordinal)
        guard access.table.definition.primaryKey != nil else { return }
        noting { () throws(StorageError) in
            try upgrade.suspendKey(of: access.table.definition.space)
            try sides.resolve()
        }
    }

    func linkValue(_ value: Any?, for property: Property) -> Any?? {
        MigrationCreation(self).linkValue(AnyValue.unwrapped(value), for: property)
    }
}
