package dash

// CallRow is a customer whom nothing told of a change, a cancellation or an offer.
type CallRow struct {
	Name, Phone, Tel string
	What, Why        string
	URL              string // the booking, or the waitlist
	ToldURL          string // notes that they were told; "" for members who can't
}

// CallToldPath notes that a customer was told.
func CallToldPath(id string) string { return TodayPath + "/calls/" + id + "/told" }
