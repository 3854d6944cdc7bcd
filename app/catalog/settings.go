package catalog

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/trade"
)

// Settings are the owner's other choices.
type Settings struct {
	Color       string        `json:"color,omitempty"`       // #rrggbb
	LogoURL     string        `json:"logoUrl,omitempty"`     // https
	Logo        PictureID     `json:"logo,omitempty"`        // an uploaded one, in place of LogoURL; 0 is none
	Description string        `json:"description,omitempty"` // a line below the name on the booking page
	About       string        `json:"about,omitempty"`       // paragraphs about the business on the booking page
	Locale      string        `json:"locale,omitempty"`      // language of mails to people whose language is unknown
	Trade       trade.Trade   `json:"trade,omitempty"`       // what the business does: its page has the picture of that
	Phone       string        `json:"phone,omitempty"`
	Address     string        `json:"address,omitempty"`
	ReviewsURL  string        `json:"reviewsUrl,omitempty"` // https: where people say what they think of it
	Photos      []Photo       `json:"photos,omitempty"`     // the first stands large at the head of its page
	MailsOff    []MailKind    `json:"mailsOff,omitempty"`   // kinds of mail that are switched off
	Texts       *TextSettings `json:"texts,omitzero"`       // to telephones
	HoldsTimes  bool          `json:"holdsTimes,omitempty"` // while somebody fills in the booking form
	// SellsVouchers offers vouchers on a page of the booking page, to be paid online.
	SellsVouchers bool `json:"sellsVouchers,omitempty"`
	WaitMargin    int  `json:"waitMargin,omitempty"` // minutes kept free around work, where a wait is
	// WaitlistOfferMinutes is how long a time is offered to who waits; 0 is DefaultOfferMinutes.
	WaitlistOfferMinutes int            `json:"waitlistOfferMinutes,omitempty"`
	Retention            *RetentionRule `json:"retention,omitempty"` // when customers are forgotten; nil is never
	// StaffSeeCustomers lets staff see the contacts whom they serve, with the entries of their cards and history.
	StaffSeeCustomers bool `json:"staffSeeCustomers,omitempty"`
	// ContactFields are those that the workspace keeps of its contacts besides the usual ones. Each has an id.
	ContactFields   []ContactField            `json:"contactFields,omitempty"`
	ContactFieldIDs map[string]ContactFieldID `json:"contactFieldIds,omitempty"` // by their keys; see KeepFields

	Consents []ConsentKind `json:"consents,omitempty"` // what customers may be asked to agree to
	Accounts *Accounts     `json:"accounts,omitzero"`  // by which the accountant books; nil is none
}

// How long a time is offered to who waits, in minutes.
const (
	LeastOfferMinutes   = 10
	DefaultOfferMinutes = 30
	MostOfferMinutes    = 120
)

// OfferMinutes returns how long a time is offered to who waits.
func (t *Settings) OfferMinutes() int {
	if t.WaitlistOfferMinutes == 0 {
		return DefaultOfferMinutes
	}
	return t.WaitlistOfferMinutes
}

var colorForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// hostForm is a host name or address, with or without a port. It goes into the pages' Content-Security-Policy, so it
// allows nothing that ends a directive.
var hostForm = regexp.MustCompile(`^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?$`)

// SettingsFields describes the settings that stand in set-up files. Check uses their bounds.
var SettingsFields = field.Resource{
	Text: "What a business says of itself.",
	Fields: []field.Field{
		{Name: "color", Text: "Its colour, such as #2f5d50.", InFile: true, Clears: true},
		{Name: "logoUrl", Text: "The https:// address of its logo.", InFile: true, Clears: true},
		{Name: "description", Text: "A line below its name on the booking page.", Most: 300, InFile: true, Clears: true},
		{Name: "about", Text: "A paragraph about it on the booking page.", Most: 1000, InFile: true, Clears: true},
		{Name: "phone", Text: "Its telephone number, for its customers.", InFile: true, Clears: true},
		{Name: "address", Text: "Where it is, in a line.", Most: 300, InFile: true, Clears: true},
		{Name: "reviewsUrl", Text: "The https:// address of its reviews on another site, to which its booking page leads.",
			Most: maxReviews, InFile: true, Clears: true},
		{Name: "holdsTimes", Text: "Whether the booking page holds a time for 10 minutes from when somebody begins to fill " +
			"in the form.", InFile: true, Clears: true},
		{Name: "sellsVouchers", Text: "Whether the booking page sells vouchers, to be paid online. It does where Stripe is connected and mails go out.",
			InFile: true, Clears: true},
		{Name: "waitMargin", Text: "How many minutes are kept free before and after the work of a service in parts, where the " +
			"customer waits.", Most: MaxWaitMargin, InFile: true, Clears: true},
		{Name: "waitlistOfferMinutes", Text: "How many minutes a time that came free is offered to somebody on the waitlist; left out, 30.",
			Least: LeastOfferMinutes, Most: MostOfferMinutes, InFile: true, Clears: true},
		{Name: "staffSeeCustomers", Text: "Whether members of the role staff see the customers whom they serve, with the entries " +
			"of their cards and history, but without notes.", InFile: true, Clears: true},
		{Name: "contactFields", Text: "The fields that it keeps of its contacts besides the usual ones, at most 20. One that a file " +
			"leaves out is removed with its values; where there are values, only with --delete-field-values.", InFile: true, Clears: true},
		{Name: "consents", Text: "What customers may be asked to agree to, at most 20 kinds.", InFile: true, Clears: true},
		{Name: "accounts", Of: &AccountsFields, Text: "The numbers by which the accountant books what was taken; null is none.",
			InFile: true, Clears: true},
		{Name: "texts", Text: "How texts to telephones are sent; null is as usual.", InFile: true, Clears: true},
		{Name: "retention", Text: "When contacts and bookings are anonymised; null is never.", InFile: true, Clears: true},
	},
}

// Check normalises the settings. The error is bad_request.
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
	most := func(name string) int { return SettingsFields.Field(name).Most }
	if t.Description, err = fault.CheckLine("settings.description", t.Description, 0, most("description")); err != nil {
		return err
	}
	if t.About, err = fault.CheckText("settings.about", t.About, most("about")); err != nil {
		return err
	}
	if t.Locale, err = fault.CheckLocale("settings.locale", t.Locale); err != nil {
		return err
	}
	if t.Trade != "" && !t.Trade.Known() {
		return fault.Invalid("settings.trade", "must be one of: %s", strings.Trim(fmt.Sprint(trade.All), "[]"))
	}
	if t.Phone, err = fault.CheckPhone("settings.phone", t.Phone); err != nil {
		return err
	}
	if t.Address, err = fault.CheckLine("settings.address", t.Address, 0, most("address")); err != nil {
		return err
	}
	if t.ReviewsURL, err = checkReviews(t.ReviewsURL); err != nil {
		return err
	}
	if err := checkPhotos(t.Photos); err != nil {
		return err
	}
	if err := CheckContactFields("settings.contactFields", t.ContactFields); err != nil {
		return err
	}
	if t.WaitMargin < 0 || t.WaitMargin > MaxWaitMargin {
		return fault.Invalid("settings.waitMargin", "must lie between %d and %d", 0, MaxWaitMargin)
	}
	if n := t.WaitlistOfferMinutes; n != 0 && (n < LeastOfferMinutes || n > MostOfferMinutes) {
		return fault.Invalid("settings.waitlistOfferMinutes", "must lie between %d and %d", LeastOfferMinutes, MostOfferMinutes)
	}
	if err := t.Texts.Check("settings.texts"); err != nil {
		return err
	}
	if err := t.Accounts.check("settings.accounts"); err != nil {
		return err
	}
	if err := checkConsents("settings.consents", t.Consents); err != nil {
		return err
	}
	return t.Retention.Check("settings.retention")
}
