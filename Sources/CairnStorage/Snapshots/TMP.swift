internal import CairnLMDB
enum StorageFailure { static func error(_ e: LMDBError, path: String, while: String) -> StorageError { StorageError(.fileAccess, "x", cause: e) } }
enum PackedChunk {
  static func decodedByteCount(_ b: UnsafeRawBufferPointer, shape: SlotShape) throws(StorageError) -> Int { 0 }
  static func decode(_ b: UnsafeRawBufferPointer, shape: SlotShape, into: UnsafeMutableRawBufferPointer) throws(StorageError) {}
}
