public import MachOReader

/// What `codesign --verify` is asked to look at (spec 6.2).
///
/// The command line of this tool asks for `--deep --strict`; the rest is for the library and for tests of parity.
public struct CodesignOptions: Hashable, Sendable {
    /// Every slice of a universal file (`kSecCSCheckAllArchitectures`); else the primary one.
    public var allArchitectures: Bool
    /// Nested code completely (`--deep`, `kSecCSCheckNestedCode`); else only its CodeDirectory and special slots.
    public var nestedCode: Bool
    /// `kSecCSStrictValidate`
    public var strict: Bool
    /// Links must lead to sealed places; counts only together with ``strict`` (`kSecCSRestrictSymlinks`).
    public var restrictSymlinks: Bool
    /// No resource forks and no Finder information; counts only together with ``strict``
    /// (`kSecCSRestrictSidebandData`).
    public var restrictSidebandData: Bool
    /// The resource phase (`--ignore-resources` leaves it out).
    public var resources: Bool
    /// The page hashes (`kSecCSDoNotValidateExecutable` leaves them out).
    public var executable: Bool
    /// What nested code gets without ``nestedCode``: the hygiene of `_CodeSignature` is left out
    /// (`kSecCSQuickCheck`).
    public var quickCheck: Bool
    /// What the code has to satisfy beside being valid (`-R`): every slice of it, not the code nested in it.
    public var requirement: RequirementExpression?

    public init(
        allArchitectures: Bool = true, nestedCode: Bool = true, strict: Bool = true, restrictSymlinks: Bool = true,
        restrictSidebandData: Bool = true, resources: Bool = true, executable: Bool = true, quickCheck: Bool = false,
        requirement: RequirementExpression? = nil
    ) {
        self.allArchitectures = allArchitectures
        self.nestedCode = nestedCode
        self.strict = strict
        self.restrictSymlinks = restrictSymlinks
        self.restrictSidebandData = restrictSidebandData
        self.resources = resources
        self.executable = executable
        self.quickCheck = quickCheck
        self.requirement = requirement
    }

    /// `codesign --verify --deep --strict`.
    public static let deepStrict = CodesignOptions()

    /// The options for nested code (spec 6.2, CheckNestedCode).
    var forNestedCode: CodesignOptions {
        var options = self
        if !nestedCode {
            options.executable = false
            options.resources = false
            options.quickCheck = true
        }
        return options
    }
}
