/// What adding an object does where one with its primary key is there already.
public enum UpdatePolicy: Int, Sendable {
    /// It is a mistake: the write fails with `duplicatePrimaryKey`.
    case error = 1
    /// The object that is there gets every value of the new one.
    case all = 2
    /// The object that is there gets the values that differ: what did not change is not reported as
    /// changed.
    case modified = 3
}
