extension Policy {
    /// Reads a policy file.
    ///
    /// - Throws: the fault with its line. Unknown keys and unknown findings are faults: a policy that silently does
    ///   nothing would be worse than none.
    public init(parsing bytes: [UInt8]) throws(JSONNode.Fault) {
        self.init()
        let root = try JSONNode(parsing: bytes)
        for member in try Self.members(root, "the policy", ["schema", "require", "severities", "allow"]) {
            switch member.key {
            case "schema":
                guard member.value.string == Self.schema else {
                    throw JSONNode.Fault(line: member.value.line, message: "the schema is not “\(Self.schema)”")
                }
            case "require":
                for node in try Self.elements(member.value, "require") {
                    guard let thing = node.string.flatMap(RequiredThing.init) else {
                        throw JSONNode.Fault(
                            line: node.line,
                            message:
                                "nothing like “\(node.string ?? node.kindName)” can be required (live-activity, widget, "
                                + "extension=…, identifier=…)")
                    }
                    required.append(thing)
                }
            case "severities": severities = try Self.severities(member.value)
            default:
                allow = try Self.elements(member.value, "allow").map { node throws(JSONNode.Fault) in try Entry(node) }
            }
        }
    }

    private static func severities(_ node: JSONNode) throws(JSONNode.Fault) -> [Profile: [Finding.ID: Severity]] {
        var severities: [Profile: [Finding.ID: Severity]] = [:]
        for profile in try members(node, "severities", [Profile.adhoc, .integrity].map(\.rawValue)) {
            for member in try members(profile.value, "severities", nil) {
                let id = try finding(member.key, line: member.line)
                guard let severity = member.value.string.flatMap(Severity.init(rawValue:)) else {
                    throw JSONNode.Fault(line: member.value.line, message: "a severity is error, warning or note")
                }
                severities[Profile(rawValue: profile.key) ?? .adhoc, default: [:]][id] = severity
            }
        }
        return severities
    }

    /// A finding that exists.
    fileprivate static func finding(_ name: String, line: Int) throws(JSONNode.Fault) -> Finding.ID {
        let id = Finding.ID(rawValue: name)
        guard Catalogue.row(id) != nil else {
            let near = Catalogue.rows.map(\.id.rawValue).min { Self.distance($0, name) < Self.distance($1, name) }
            let hint = near.flatMap { Self.distance($0, name) <= 3 ? "; did you mean “\($0)”?" : nil } ?? ""
            throw JSONNode.Fault(line: line, message: "there is no finding “\(name)”\(hint)")
        }
        return id
    }

    fileprivate static func members(
        _ node: JSONNode, _ what: String, _ known: [String]?
    ) throws(JSONNode.Fault) -> [JSONNode.Member] {
        guard case .object(let members) = node.value else {
            throw JSONNode.Fault(line: node.line, message: "\(what) is \(node.kindName), not an object")
        }
        guard let known else { return members }
        if let stranger = members.first(where: { !known.contains($0.key) }) {
            let near = known.min { Self.distance($0, stranger.key) < Self.distance($1, stranger.key) }
            let hint = near.flatMap { Self.distance($0, stranger.key) <= 3 ? "; did you mean “\($0)”?" : nil } ?? ""
            throw JSONNode.Fault(line: stranger.line, message: "\(what) has no key “\(stranger.key)”\(hint)")
        }
        return members
    }

    private static func elements(_ node: JSONNode, _ what: String) throws(JSONNode.Fault) -> [JSONNode] {
        guard case .array(let elements) = node.value else {
            throw JSONNode.Fault(line: node.line, message: "“\(what)” is \(node.kindName), not an array")
        }
        return elements
    }

    /// Single-character edits from one word to another.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

extension Policy.Entry {
    fileprivate init(_ node: JSONNode) throws(JSONNode.Fault) {
        var values: [String: JSONNode] = [:]
        for member in try Policy.members(node, "an entry of “allow”", ["finding", "path", "reason", "expires"]) {
            guard member.value.string != nil else {
                throw JSONNode.Fault(
                    line: member.value.line, message: "“\(member.key)” is \(member.value.kindName), not a text")
            }
            values[member.key] = member.value
        }
        guard let name = values["finding"], let text = name.string else {
            throw JSONNode.Fault(line: node.line, message: "an entry of “allow” names no finding")
        }
        guard let reason = values["reason"]?.string else {
            throw JSONNode.Fault(line: node.line, message: "an entry of “allow” has no reason")
        }
        var expires: Policy.Day?
        if let day = values["expires"] {
            guard let parsed = day.string.flatMap(Policy.Day.init) else {
                throw JSONNode.Fault(line: day.line, message: "“expires” is no day such as 2027-01-31")
            }
            expires = parsed
        }
        self.init(
            finding: try Policy.finding(text, line: name.line), path: values["path"]?.string, reason: reason,
            expires: expires)
    }
}
