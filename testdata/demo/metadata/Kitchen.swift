// A library of somebody else's, to whose types conformances are added from outside.

public struct Meal {}

public struct Plate {}
