package app

// Contact is a person in the workspace's list; the e-mail, compared without case, is the key.
type Contact struct {
	ID            ContactID   `json:"id"`
	WorkspaceID   WorkspaceID `json:"-"`
	Name          string      `json:"name"`
	Email         string      `json:"email"`
	Phone         string      `json:"phone"`
	TimeZone      string      `json:"timeZone"`
	Notes         string      `json:"notes"`
	Bookings      int         `json:"bookings"`      // all that were ever made
	NoShows       int         `json:"noShows"`       // of them, those not come to
	LastBookingAt Instant     `json:"lastBookingAt"` // start of the latest one
	CreatedAt     Instant     `json:"createdAt"`
}

// ContactInput is what a caller says of a new contact.
type ContactInput struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	TimeZone string `json:"timeZone"`
	Notes    string `json:"notes"`
}

// check refuses what no contact may have. nameFrom is how many characters the name has at least.
func (in *ContactInput) check(nameFrom int) error {
	var p problems
	var err error
	in.Name, err = checkLine("name", in.Name, nameFrom, 200)
	p.add(err)
	in.Email, err = checkEmail("email", in.Email)
	p.add(err)
	in.Phone, err = checkPhone("phone", in.Phone)
	p.add(err)
	if in.TimeZone != "" {
		_, err = checkZone("timeZone", in.TimeZone)
		p.add(err)
	}
	in.Notes, err = checkText("notes", in.Notes, 5000)
	p.add(err)
	return p.err()
}
