package views

// DecidePage lets the team approve or decline a request.
type DecidePage struct {
	Page
	Facts   []MailFact
	Invitee string
	Action  string
	Unpaid  bool // it can't be approved yet
	Visit   bool // others of the same visit are decided with it
	Problem string
}

// StopPage ends mails of a topic to one recipient.
type StopPage struct {
	Page
	Text   string
	Action string
}

// GuestPage asks whether to book what an assistant asked for.
type GuestPage struct {
	Page
	Facts  []MailFact
	Action string
}
