extension SessionTable {
    /// Sets a string.
    package func setText(_ row: RowKey, _ position: Int, _ text: String) throws(StorageError) {
        try Self.withBytes(of: text) { bytes throws(StorageError) in try setText(row, position, bytes) }
    }

    /// Adds a row with a string as its primary key.
    package func insert(key: String) throws(StorageError) -> RowKey {
        try Self.withBytes(of: key) { bytes throws(StorageError) in try insert(key: bytes) }
    }

    /// Adds a row with an integer as its primary key.
    package func insert(key: Int64) throws(StorageError) -> RowKey {
        try Self.withBytes(of: key) { bytes throws(StorageError) in try insert(key: bytes) }
    }

    /// The row with a string in a hash index.
    package func row(index: Int, key: String) throws(StorageError) -> RowKey? {
        try Self.withBytes(of: key) { bytes throws(StorageError) in try row(index: index, key: bytes) }
    }

    /// The row with an integer in a hash index.
    package func row(index: Int, key: Int64) throws(StorageError) -> RowKey? {
        try Self.withBytes(of: key) { bytes throws(StorageError) in try row(index: index, key: bytes) }
    }

    /// A string, copied.
    package func string(_ row: RowKey, _ position: Int) -> String {
        String(decoding: text(row, position), as: UTF8.self)
    }

    private static func withBytes<Result>(
        of text: String, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        var copy = text
        return try copy.withUTF8 { bytes in
            Swift.Result { () throws(StorageError) in try body(UnsafeRawBufferPointer(bytes)) }
        }.get()
    }

    private static func withBytes<Result>(
        of number: Int64, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try Swift.withUnsafeBytes(of: number) { bytes in
            Swift.Result { () throws(StorageError) in try body(bytes) }
        }.get()
    }
}
