package enum Verify { package static func run(_ s: Store) throws(StorageError) -> [StructureTMP] { [] } }
package struct StructureTMP: CustomStringConvertible { package var description: String { "" } }
