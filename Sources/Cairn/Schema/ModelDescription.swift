/// What is known of a class before anything of it is opened. The object layer's `ClassModel` adds how
/// its instances are made and read.
class ModelDescription {
    let schema: ObjectSchema

    init(_ schema: ObjectSchema) {
        self.schema = schema
    }
}
