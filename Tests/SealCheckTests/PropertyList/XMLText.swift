/// XML property lists for tests.
enum XMLText {
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    static let tail = "</plist>\n"

    /// A whole file around one element.
    static func file(_ element: String) -> [UInt8] { Array((head + element + tail).utf8) }

    static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}
