internal import Glibc

/// Values as the file has them.
enum StoredBytes {
    /// Whether two values have the same stored bytes; null equals null alone.
    static func areEqual(_ left: UnsafeRawBufferPointer?, _ right: UnsafeRawBufferPointer?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        guard left.count == right.count else { return false }
        guard left.count > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return true
        }
        return memcmp(leftBase, rightBase, left.count) == 0
    }
}
