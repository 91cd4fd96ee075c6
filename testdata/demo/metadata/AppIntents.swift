// The shape of AppIntents that the fixtures need.

public protocol AppIntent {}
public protocol LiveActivityIntent: AppIntent {}
