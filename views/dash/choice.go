package dash

// AddOnInput is an add-on in the form of an event type: what is typed of it.
type AddOnInput struct {
	ID, Title, Minutes, Price string
	Group                     string // the title of its group
	Part                      string // one of TypePage.Parts; "" if the form has no choice
}

// AddOnGroupInput is a group of add-ons in that form.
type AddOnGroupInput struct {
	ID, Title, Max string
	Required       bool
}
