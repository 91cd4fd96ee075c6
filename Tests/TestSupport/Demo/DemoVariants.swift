/// The standard app in other builds.
extension Demo {
    /// ``standard`` with two slices in every file of code: arm64 for devices and x86_64 for the simulator.
    public static var fat: BundleBuilder {
        var app = standard
        app.eachCode { code in
            code.makeUniversal([.arm64, .x86_64])
            code.slices[1].target = .iOSSimulator
        }
        return app
    }

    /// ``standard`` with a SHA-1 and a SHA-256 CodeDirectory in every signature, and both digests in every seal.
    public static var dual: BundleBuilder {
        var app = standard
        app.useHashes([.sha1, .sha256])
        return app
    }

    /// ``standard`` with something in every slot that a CodeDirectory can hash, in every signature.
    public static var everyBlob: BundleBuilder {
        var app = standard
        app.eachCode { code in
            code.eachSignature { signature in
                signature.hasTopDirectory = true
                signature.entitlements = signature.entitlements ?? ["get-task-allow": true]
                signature.blobs[6] = Blob.make(Blob.wrapper, Array("disk representation".utf8))
                for slot in 8...11 {
                    let constraint: Plist = ["ccat": .integer(Int64(slot)), "comp": 1, "reqs": [:], "vers": 1]
                    signature.blobs[slot] = Blob.make(Blob.constraint, EntitlementsDER.encode(constraint))
                }
            }
        }
        return app
    }

    /// A right and signed extension that `app` does not have yet.
    static func added(to app: BundleBuilder) -> BundleBuilder {
        var added = app.layout == .flat ? widget : macWidget
        added.name = "Added.appex"
        added.info["CFBundleIdentifier"] = "com.example.demo.added"
        return added
    }
}

extension BundleBuilder {
    /// Gives every signature one CodeDirectory for each of `hashes`, all like its first.
    public mutating func useHashes(_ hashes: [Sha]) {
        eachCode { code in
            code.eachSignature { signature in
                guard let first = signature.directories.first else { return }
                signature.directories = hashes.map { hash in
                    var copy = first
                    copy.hash = hash
                    return copy
                }
            }
        }
    }
}
