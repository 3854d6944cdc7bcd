package catalog

// Color is the name of a colour in which a calendar draws bookings of an event type. It is a name and not a value, so
// that each theme can draw it in a shade on which text is readable.
type Color string

// Colors are the colours to choose from. The calendar's stylesheet has them in this order.
var Colors = []Color{"green", "purple", "orange", "blue", "pink", "olive", "teal", "brown"}
