package views

import (
	"time"
)

// OwnAskPage asks for a link to the page of one's own, or says that it was asked for.
type OwnAskPage struct {
	Page
	Action  string
	Address Field
	Problem string // what is wrong with what was done before; "" is nothing
	Sends   bool   // links can be sent
	Texts   bool   // and texted
	Asked   bool
}

// OwnOpenPage asks whether to open the page of one's own on this device.
type OwnOpenPage struct {
	Page
	Action string
}

// OwnPage is the page of a customer's own.
type OwnPage struct {
	Page
	Name, Email, Phone string // as the business keeps them
	Until              time.Time
	Devices            int
	First              bool // it isn't the continuation of a list

	Upcoming []OwnBooking
	LaterURL string // of the upcoming ones; "" where these are all
	Years    []OwnYear
	MoreURL  string // of the past ones

	BackURL, FileURL, LeaveURL string
}

// OwnYear are the past bookings of a year.
type OwnYear struct {
	Year     string
	Bookings []OwnBooking
}

// OwnBooking is a booking on the page of one's own, or a visit.
type OwnBooking struct {
	Title      string
	Start, End time.Time
	Zone       string // where the time isn't that of the business; else ""
	Hosts      []string
	Status     string // one of OwnPending, …; "" needs no word
	URL        string
	Changes    bool // it can be moved or cancelled there
	AgainURL   string
	Receipts   []Link
}

// What is said of a booking.
const (
	OwnPending   = "pending"
	OwnUnpaid    = "unpaid"
	OwnCancelled = "cancelled"
	OwnNoShow    = "no_show"
)

// state is what is said of the booking, and its colour.
func (v OwnPage) state(b OwnBooking) (text, tone string) {
	switch b.Status {
	case OwnPending:
		return v.T("own_pending"), "warn"
	case OwnUnpaid:
		return v.T("own_unpaid"), "warn"
	case OwnCancelled:
		return v.T("own_cancelled"), "bad"
	case OwnNoShow:
		return v.T("own_no_show"), "bad"
	}
	return "", ""
}

// OwnReceiptPage is a receipt for its customer.
type OwnReceiptPage struct {
	Page
	Heading, Text, Note string
	Facts               []MailFact
	Bill                [][]MailLine
	BackURL             string
}

// OwnPath is the page of one's own.
func OwnPath(workspace string, q Query) string { return address("/"+workspace+"/_me", q, "") }

// OwnLinkPath opens it by a link.
func OwnLinkPath(workspace, token string, q Query) string {
	return address("/"+workspace+"/_me/"+token, q, "")
}

// OwnLeavePath closes it.
func OwnLeavePath(workspace string, q Query) string {
	return address("/"+workspace+"/_me/leave", q, "")
}

// OwnFilePath returns the file of what is kept of the person.
func OwnFilePath(workspace string) string { return "/" + workspace + "/_me/data.json" }

// OwnReceiptPath shows a receipt.
func OwnReceiptPath(workspace, id string, q Query) string {
	return address("/"+workspace+"/_me/receipt/"+id, q, "")
}
