package booking

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// Invitee is the person who booked: somebody with an e-mail address, a telephone number or both, or with neither who
// walked in.
type Invitee struct {
	Name     string `json:"name"`
	Email    string `json:"email"`           // "" for none
	Phone    string `json:"phone,omitempty"` // in E.164 where it could be read
	TimeZone string `json:"timeZone,omitempty"`
	Locale   string `json:"locale,omitempty"`
}

// WalkIn is the name of people who walk in and give none, as it is stored. Pages show it in the reader's language.
const WalkIn = "Walk-in"

// WalksIn reports whether the person gave nothing by which they can be found again: no contact is made of them.
func (p *Invitee) WalksIn() bool { return p.Email == "" && p.Phone == "" }

// Check normalises the invitee. Errors: bad_request, with the reason contact_missing if there is neither an e-mail
// address nor a telephone number. atDesk says that the business knows who it is: nothing need be given then. A number
// without a country code is of country.
func (p *Invitee) Check(country string, atDesk bool) (err error) {
	walksIn := atDesk && strings.TrimSpace(p.Email) == "" && strings.TrimSpace(p.Phone) == ""
	if walksIn && strings.TrimSpace(p.Name) == "" {
		p.Name = WalkIn
	}
	var wrong fault.Problems
	p.Name, err = fault.CheckLine("invitee.name", p.Name, 1, fault.MaxName)
	wrong.Add(err)
	if walksIn {
		p.Email, p.Phone = "", ""
	} else {
		wrong.Add(checkIdentity("invitee.", &p.Email, &p.Phone, country))
	}
	if p.TimeZone != "" {
		_, err = catalog.CheckZone("invitee.timeZone", p.TimeZone)
		wrong.Add(err)
	}
	p.Locale, err = fault.CheckLocale("invitee.locale", p.Locale)
	wrong.Add(err)
	return wrong.Err()
}

func (p *Invitee) appendJSON(dst []byte) []byte {
	dst = AppendText(append(dst, `{"name":`...), p.Name)
	dst = AppendText(append(dst, `,"email":`...), p.Email)
	for _, optional := range [...]struct{ name, text string }{{`,"phone":`, p.Phone}, {`,"timeZone":`, p.TimeZone},
		{`,"locale":`, p.Locale}} {
		if optional.text != "" {
			dst = AppendText(append(dst, optional.name...), optional.text)
		}
	}
	return append(dst, '}')
}
