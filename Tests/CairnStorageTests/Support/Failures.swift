import CairnStorage
import Testing

/// What the call throws, nil when nothing. Only the engine's own errors are expected.
func failure(of call: () throws -> Void) -> StorageError? {
    do {
        try call()
    } catch let error as StorageError {
        return error
    } catch {
        Issue.record("an error of another kind: \(error)")
    }
    return nil
}
