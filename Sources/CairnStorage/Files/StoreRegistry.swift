/// What a layer above has made of the open files: one value a file and process, weakly held.
///
/// The value must hold its `StoreFile`. When the last reference to the value has gone, while somebody
/// still holds the file (a snapshot, say), the next `open` makes a new value of the same file.
package enum StoreRegistry<Value: AnyObject & Sendable> {
    /// The value of the file, found through every name of the file, or made.
    ///
    /// Two threads that ask at the same time get the same value: one makes it, the other waits. A file that
    /// is being closed is closed entirely before it is opened again. Errors: those of `StoreFile.open`, and
    /// what `make` throws.
    ///
    /// - Parameter make: Called while the file is claimed, and without any lock held. It must not open or
    ///   remove the same file, which would wait for itself.
    package static func open(
        _ options: StoreOptions, make: (StoreFile) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let paths = try StorePaths.resolve(options.path, .opening)
        switch OpenFileTable.begin(paths, wantsValue: true) {
        case .open(let file, let value):
            try file.check(fits: options)
            guard let value = value as? Value else {
                preconditionFailure("the file '\(paths.data)' is open as something else than \(Value.self)")
            }
            return value
        case .mine(let claim, let open):
            return try complete(claim, open, options, make)
        }
    }

    /// Whether this process has the file open, under whatever name.
    package static func isOpen(_ path: String) -> Bool {
        guard let identity = try? FileStatus.read(path)?.identity else { return false }
        return OpenFileTable.isOpen(identity)
    }

    private static func complete(
        _ claim: OpenFileTable.Claim, _ open: StoreFile?, _ options: StoreOptions,
        _ make: (StoreFile) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        // Entered in the table even when making the value fails: the file is closed only after this, and
        // who comes meanwhile has to wait for that.
        var file = open
        do throws(StorageError) {
            try open?.check(fits: options)
            let opened = if let open { open } else { try StoreFile.openClaimed(options, claim) }
            file = opened
            let value = try make(opened)
            OpenFileTable.finish(claim, open: opened, value: value)
            return value
        } catch {
            OpenFileTable.finish(claim, open: file)
            throw error
        }
    }
}
