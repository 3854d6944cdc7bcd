package booking

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/phone"
)

// Identity is what a person is recognised by: the e-mail address if there is one, else the telephone number.
type Identity struct {
	Email   string
	Phone   string // in E.164 where there is no e-mail address
	Country string // the one of national numbers that were kept as they were typed
}

// Identity returns the identity of the invitee in a workspace of that country.
func (p *Invitee) Identity(country string) Identity { return Identity{p.Email, p.Phone, country} }

// Identity returns the identity of the contact in a workspace of that country.
func (c *Contact) Identity(country string) Identity { return Identity{c.Email, c.Phone, country} }

// ByPhone reports whether the person is recognised by the telephone number.
func (r Identity) ByPhone() bool { return r.Email == "" && r.Phone != "" }

// Key returns the identity as it is stored, unique in a workspace; "" without address and number. The keys of addresses
// and of numbers never coincide.
func (r Identity) Key() string {
	switch {
	case r.Email != "":
		return fault.EmailKey(r.Email)
	case r.Phone != "":
		return "tel:" + r.Phone
	}
	return ""
}

// HasPhone reports whether text is the telephone number of r, in whatever way it was typed.
func (r Identity) HasPhone(text string) bool {
	if text == "" || r.Phone == "" {
		return false
	}
	if text == r.Phone {
		return true
	}
	e164, ok := phone.Parse(text, r.Country)
	return ok && e164 == r.Phone
}

// ReadIdentity reads an e-mail address or a telephone number that was typed to find a person. ok is false for a
// telephone number that can't be read.
func ReadIdentity(text, country string) (r Identity, ok bool) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "@") {
		return Identity{Email: text, Country: country}, true
	}
	e164, ok := phone.Parse(text, country)
	return Identity{Phone: e164, Country: country}, ok
}

// CanIdentify reports whether a contact can have this address and number.
func CanIdentify(email, number, country string) bool {
	return checkIdentity("", &email, &number, country) == nil
}

// CheckIdentity returns the identity by which a contact is looked for: the e-mail address, or if that is empty the
// telephone number. An address that nobody can have is no error. Errors: bad_request.
func CheckIdentity(email, number, country string) (Identity, error) {
	email, err := fault.CheckLine("email", email, 0, fault.MaxEmail)
	if err != nil || email != "" {
		return Identity{Email: email, Country: country}, err
	}
	number, err = checkPhone("phone", number, country, true)
	return Identity{Phone: number, Country: country}, err
}

// contactMissing returns the error of somebody who gave neither an e-mail address nor a telephone number.
func contactMissing(field, name string) *fault.Error {
	return fault.New(fault.BadRequest, "contact_missing",
		"is required, or else %s: an e-mail address or a telephone number", name).At(field)
}

// checkIdentity normalises an e-mail address and a telephone number, of which one must be given. at is the place of
// both in the input, such as "invitee.".
func checkIdentity(at string, email, number *string, country string) error {
	if strings.TrimSpace(*email) == "" && strings.TrimSpace(*number) == "" {
		return contactMissing(at+"email", at+"phone")
	}
	var wrong fault.Problems
	var err error
	alone := strings.TrimSpace(*email) == ""
	if alone {
		*email = ""
	} else {
		*email, err = fault.CheckEmail(at+"email", *email)
		wrong.Add(err)
	}
	*number, err = checkPhone(at+"phone", *number, country, alone)
	wrong.Add(err)
	return wrong.Err()
}

// checkPhone writes a telephone number in E.164. One that can't be read stays as it was typed, unless it is all that
// the person is known by.
func checkPhone(field, text, country string, alone bool) (string, error) {
	if e164, ok := phone.Parse(text, country); ok {
		return e164, nil
	}
	text, err := fault.CheckPhone(field, text)
	if err == nil && text != "" && alone {
		err = wrongPhone(field)
	}
	return text, err
}

func wrongPhone(field string) *fault.Error {
	return fault.Invalid(field, "must be a telephone number such as +49 30 901820: with the country's code, or complete "+
		"as it is dialled within the country of the business")
}

// Gives returns contact_missing unless the invitee, which Check has normalised, gave the contact details that the event
// type asks for, with an error for each missing field. A telephone number that is asked for must be readable.
func (p *Invitee) Gives(asks catalog.Asks) error {
	email, number := p.Email != "", p.Phone != ""
	var wrong fault.Problems
	missing := func(field, what string) {
		wrong.Add(fault.New(fault.BadRequest, "contact_missing", "is required: %s", what).At(field))
	}
	switch {
	case asks == catalog.AskEither && !email && !number:
		return contactMissing("invitee.email", "invitee.phone")
	case asks == catalog.AskEither:
		return p.dialled(number)
	}
	if !email && asks.Email() {
		missing("invitee.email", "an e-mail address")
	}
	if !number && asks.Phone() {
		missing("invitee.phone", "a telephone number")
	}
	wrong.Add(p.dialled(number && asks.Phone()))
	return wrong.Err()
}

// dialled refuses a telephone number that could not be read.
func (p *Invitee) dialled(given bool) error {
	if _, ok := phone.Parse(p.Phone, ""); given && !ok {
		return wrongPhone("invitee.phone")
	}
	return nil
}
