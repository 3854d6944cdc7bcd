package dash

// CaughtPath has the mails of a demo.
const CaughtPath = TodayPath + "/caught"

// CaughtMailPath is one of them, beside the list.
func CaughtMailPath(id int) string { return CaughtPath + "/" + itoa(id) }

// CaughtReadPath is the mail itself, in the frame of that page.
func CaughtReadPath(id int) string { return CaughtMailPath(id) + "/read" }

// CaughtInvitePath is an invitation in it, as a file.
func CaughtInvitePath(id, n int) string { return CaughtMailPath(id) + "/invitation/" + itoa(n) }

// CaughtPage is a page of the demo: the mails that would have been sent, and the one that is open.
type CaughtPage struct {
	Frame
	Mails []CaughtRow
	Open  *CaughtMail // nil where none is
}

// CaughtRow is a mail in the list.
type CaughtRow struct {
	URL, To, Subject, When string
	Current                bool
}

// CaughtMail is a mail as its reader gets it.
type CaughtMail struct {
	From, To, Subject, When string
	FrameURL                string
	Invitations             []CaughtInvitation
}

// CaughtInvitation is an entry for the reader's calendar, or that it is taken away.
type CaughtInvitation struct{ Text, URL string }
