/// What a session is for in a migration: it shows the file as it was, or as it becomes.
final class MigrationRole {
    enum Side {
        /// The file as it was: never changes. What is done wrong with it fails the write of this session.
        case old(mistakesOf: RealmSession)
        /// The file as it becomes, in the migration's write.
        case new(any MigrationWriting)
        /// The migration has ended: objects that somebody has kept are of no use.
        case over
    }

    private var side: Side

    init(_ side: Side) {
        self.side = side
    }

    /// Ends the role.
    func end() { side = .over }

    /// Whether the migration has ended.
    var isOver: Bool {
        if case .over = side { return true }
        return false
    }

    /// The session whose write fails by a mistake; nil for the role's own.
    var mistakeTaker: RealmSession? {
        if case .old(let session) = side { return session }
        return nil
    }

    /// Who carries out what the new side asks for; nil on the old side.
    var writing: (any MigrationWriting)? {
        if case .new(let writing) = side { return writing }
        return nil
    }
}

/// What objects of the new side need of their migration.
protocol MigrationWriting: AnyObject {
    /// The value to be stored for one that was given for a link: objects of the old side stand for
    /// those of the new one in the same row, dictionaries for objects to be made.
    ///
    /// - Returns: the outer nil where it does not fit.
    func linkValue(_ value: Any?, for property: Property) -> Any??

    /// Called before a primary key is set: keys are an index again when the block has ended.
    func suspendKey(ofClass ordinal: Int)
}
