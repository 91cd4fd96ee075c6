/// What each fault does.
extension Fault {
    /// Puts the fault into the code object at `path`.
    public func put(
        into bundle: inout BundleBuilder, at path: RawPath, rebuilding: BundleBuilder.Rebuild = .all
    ) throws {
        let place = try bundle.place(path)
        let item = try bundle.item(at: path)
        switch self {
        case .resigned:
            let fresh = try Self.resigned(bundle, at: path)
            try bundle.edit(path, rebuilding: rebuilding) { $0 = fresh }
        case .sealedBeforeNested:
            let signed = try bundle.sealedItem(at: path)
            try bundle.edit(path, .afterSealing) { try Self.neverSign(&$0, place) }
            try bundle.edit(path, .atTheEnd) { $0 = signed }
        case .nestedRemoved:
            let parent = bundle.name
            try bundle.edit(path, .atTheEnd) { tree in
                guard !tree.paths.isEmpty else { throw BuildError("nothing to remove from \(parent)") }
                tree = FileTree()
            }
        case .nestedAdded:
            let added = try Demo.added(to: bundle).sealed()
            let folder = bundle.layout.root / "PlugIns" / RawPath(added.name)
            try bundle.edit(path, rebuilding: rebuilding) { $0.graft(added.tree, at: folder) }
        default:
            try bundle.edit(path, rebuilding: rebuilding) { tree in
                try damage(&tree, place, item)
            }
        }
    }

    /// Damages the finished object, `tree`.
    private func damage(_ tree: inout FileTree, _ place: CodePlace, _ item: BundleBuilder.Nested) throws {
        let root = place.layout?.root ?? .root
        func found(_ path: RawPath?) throws -> RawPath {
            guard let path else { throw BuildError("\(place) has nothing for \(rawValue)") }
            return root / path
        }
        func part(_ path: RawPath?) throws -> RawPath {
            guard let path else { throw BuildError("\(place) is a lone file, without \(rawValue)") }
            return path
        }
        switch self {
        case .infoPlistEdited:
            // One more key that nobody reads: only the bytes are wrong, nothing that they say.
            guard case .bundle(var bundle) = item else { throw BuildError("\(place) is a lone file") }
            bundle.info["SomethingNew"] = "added after signing"
            tree.add(try part(place.infoPlist), bundle.info.encoded(as: bundle.infoForm))
        case .infoPlistRemoved: try tree.remove(part(place.infoPlist))
        case .resourceAltered: try tree.flip(found(Self.resource(of: item)))
        case .resourceAdded: tree.add(root / RawPath(place.layout?.resources ?? "") / "added.txt", text: "added\n")
        case .resourceRemoved: try tree.remove(found(Self.resource(of: item)))
        case .resourceMadeSymlink:
            // To an identical file elsewhere in the bundle: whoever follows the link sees the right digest.
            let path = try found(Self.resource(of: item))
            let twin = RawPath(path.lastComponent.text + "~")
            let bytes = try tree.bytes(path)
            tree.add(path.parent / twin, bytes)
            tree.link(path, to: twin.text)
        case .symlinkRetargeted: tree.link(try found(Self.symlink(of: item)), to: "elsewhere")
        case .symlinkMadeFile:
            let path = try found(Self.symlink(of: item))
            guard case .symlink(let target) = tree[path] else { throw BuildError("no link at \(path)") }
            tree.add(path, try tree.bytes(path.parent / RawPath(bytes: target)))
        case .localizationAltered: try tree.flip(found(Self.localization(of: item)))
        case .sealEdited: try tree.edit(part(place.seal)) { $0 += Array("<!-- edited -->\n".utf8) }
        case .sealRemoved: try tree.remove(part(place.seal))
        case .strayInCodeSignature: tree.add(try part(place.seal).parent / "ResourceRules.plist", text: "{}\n")
        case .executableRemoved: try tree.remove(place.executable)
        case .neverSigned: try Self.neverSign(&tree, place)
        case .linkerSigned: try Self.signAlone(&tree, place, item) { $0 = .linker(identifier: place.executable.stem) }
        case .signedAsLoneFile: try Self.signAlone(&tree, place, item) { $0.isBare = true }
        case .secondSlicePageFlipped:
            try tree.edit(place.executable) { file in
                try SignedCode.edit(&file, slice: 1) { try $0.bytes.flipByte(at: Self.pageOffset) }
            }
        case .dataAppended: try tree.edit(place.executable) { $0 += [0xDE, 0xAD] }
        default:
            try tree.edit(place.executable) { file in
                try SignedCode.edit(&file) { image in try damage(&image) }
            }
        }
    }

    /// A place in the code that is no load command and not in the first page.
    static let pageOffset = 0x5123

    /// Damages one image of the object's code.
    private func damage(_ image: inout SignedImage) throws {
        switch self {
        case .pageFlipped: try image.bytes.flipByte(at: Self.pageOffset)
        case .loadCommandFlipped: try image.bytes.flipByte(at: image.command(LC.uuid).offset + 8)
        case .loadCommandInserted:
            let factory = LoadCommandFactory(MachOBuilder(like: image))
            try image.insertCommand(factory.dylib(LC.loadDylib, "@rpath/tweak.dylib"))
        case .linkeditFlipped: try image.bytes.flipByte(at: image.load32(image.command(LC.symtab).offset + 16) + 3)
        case .infoSlotZeroed: try image.setSpecialSlot(1, to: nil)
        case .sealSlotZeroed: try image.setSpecialSlot(3, to: nil)
        case .specialSlotsCut: try image.setField(.nSpecialSlots, to: 2)
        case .adhocFlagCleared: try image.setField(.flags, to: 0)
        case .codeLimitShortened: try image.shortenCodeLimit()
        case .pageHashFlipped:
            for directory in try image.directories() { try Self.flipPageHash(1, of: directory, in: &image) }
        case .lastPagePadded: try image.padLastPage()
        case .primaryPagesStale: try Self.flipPageHash(1, of: image.directory(0), in: &image)
        case .alternatePagesStale: try Self.flipPageHash(1, of: image.directory(0x1000), in: &image)
        case .alternateSpecialSlotStale:
            // SHA-256 rules; the CodeDirectory that does not is the one whose special slots nobody compares.
            let directory = try image.directory(0)
            try image.bytes.flipByte(at: image.specialSlotRange(2, of: directory).lowerBound)
        case .requirementsFlipped: try image.flipBlob(2)
        case .requirementsDropped: try image.dropBlob(2)
        case .entitlementsFlipped: try image.flipBlob(5)
        case .entitlementsDropped: try image.dropBlob(5)
        case .entitlementsDERFlipped: try image.flipBlob(7)
        case .entitlementsDERDropped: try image.dropBlob(7)
        case .signatureStripped: try image.strip()
        default: throw BuildError("\(rawValue) is no edit of an image")
        }
    }

    private static func flipPageHash(
        _ page: Int, of directory: SignedImage.Directory, in image: inout SignedImage
    ) throws {
        try image.bytes.flipByte(at: image.codeSlotRange(page, of: directory).lowerBound)
    }
}
