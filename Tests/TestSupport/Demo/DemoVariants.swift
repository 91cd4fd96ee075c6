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
        app.eachCode { code in
            code.eachSignature { signature in
                signature.directories = signature.directories.flatMap { directory in
                    [Sha.sha1, .sha256].map { hash in
                        var copy = directory
                        copy.hash = hash
                        return copy
                    }
                }
            }
        }
        return app
    }
}
