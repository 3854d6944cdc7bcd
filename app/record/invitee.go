package record

import (
	"daybook/app/catalog"
	"daybook/app/fault"
)

// Invitee is the person who booked.
type Invitee struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone,omitempty"`
	TimeZone string `json:"timeZone,omitempty"`
	Locale   string `json:"locale,omitempty"`
}

// Check normalises the invitee and returns bad_request for what is wrong.
func (p *Invitee) Check() (err error) {
	var wrong fault.Problems
	p.Name, err = fault.CheckLine("invitee.name", p.Name, 1, fault.MaxName)
	wrong.Add(err)
	p.Email, err = fault.CheckEmail("invitee.email", p.Email)
	wrong.Add(err)
	p.Phone, err = fault.CheckPhone("invitee.phone", p.Phone)
	wrong.Add(err)
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
