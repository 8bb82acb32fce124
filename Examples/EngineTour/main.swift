// A walk through the engine without the object layer: what it stores, finds, links, deletes and reads
// back. Prints what it does; `ExampleTests` compares the output.

import CairnStorage
import Foundation

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cairn-tour-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("week.cairn").path

try Tour(path: path).run()
