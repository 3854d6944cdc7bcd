package catalog

import (
	"net/url"
	"regexp"
	"strings"

	"daybook/app/fault"
)

// Settings are a workspace's choices that no booking rule depends on.
type Settings struct {
	Color       string     `json:"color,omitempty"`       // #rrggbb
	LogoURL     string     `json:"logoUrl,omitempty"`     // https
	Description string     `json:"description,omitempty"` // a line below the name on the booking page
	Locale      string     `json:"locale,omitempty"`      // language of mails to people whose language is unknown
	Phone       string     `json:"phone,omitempty"`
	Address     string     `json:"address,omitempty"`
	MailsOff    []MailKind `json:"mailsOff,omitempty"` // kinds of mail that are switched off
}

var colorForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// hostForm is a host name or address, with or without a port. It goes into the pages' Content-Security-Policy, so it
// allows nothing that ends a directive.
var hostForm = regexp.MustCompile(`^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?$`)

func (t *Settings) Check() (err error) {
	if t.Color = strings.ToLower(strings.TrimSpace(t.Color)); t.Color != "" && !colorForm.MatchString(t.Color) {
		return fault.Invalid("settings.color", "must be a colour such as #2f5d50")
	}
	if t.LogoURL, err = fault.CheckLine("settings.logoUrl", t.LogoURL, 0, 500); err != nil {
		return err
	}
	u, err := url.Parse(t.LogoURL)
	if t.LogoURL != "" && (err != nil || u.Scheme != "https" || !hostForm.MatchString(u.Host)) {
		return fault.Invalid("settings.logoUrl", "must be the https:// address of an image")
	}
	if t.Description, err = fault.CheckLine("settings.description", t.Description, 0, 300); err != nil {
		return err
	}
	if t.Locale, err = fault.CheckLocale("settings.locale", t.Locale); err != nil {
		return err
	}
	if t.Phone, err = fault.CheckPhone("settings.phone", t.Phone); err != nil {
		return err
	}
	t.Address, err = fault.CheckLine("settings.address", t.Address, 0, 300)
	return err
}
