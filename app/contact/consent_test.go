package contact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/subjects"
	"daybook/app/vault"
)

var consentKinds = []catalog.ConsentKind{
	{Key: "health", Name: "Health", Wording: "My allergies are kept.", Health: true},
	{Key: "patch-test", Name: "Patch test", Wording: "I had a patch test.", Days: 180, Health: true},
	{Key: "photos", Name: "Photos", Wording: "Photos may be shown."},
}

// sealedWith is a server with a key of that byte.
func sealedWith(b byte) func(*subjects.Config) {
	return func(c *subjects.Config) {
		var err error
		if c.Vault, err = vault.NewVault(bytes.Repeat([]byte{b}, 32)); err != nil {
			panic(err)
		}
	}
}

// newHealthWorld is a salon that asks for consents, on a server with a key.
func newHealthWorld(t testing.TB, with func(*subjects.Config)) *world {
	t.Helper()
	w := newWorld(t, with)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.Consents = slices.Clone(consentKinds) })
	w.Must(err)
	return w
}

func (w *world) agreed(ref, kind, date string) contact.Consent {
	w.T.Helper()
	c, err := w.People.RecordConsent(w.T.Context(), w.Owner, ref, contact.ConsentInput{Kind: kind, Date: date, Signer: "Mia B."})
	w.Must(err)
	return c
}

func (w *world) ill(ref string, in contact.HealthInput) contact.HealthEntry {
	w.T.Helper()
	h, err := w.People.AddHealth(w.T.Context(), w.Owner, ref, in)
	w.Must(err)
	return h
}

// health are the texts of the health entries, those in red with an exclamation mark.
func (w *world) health(ref string) (all []string) {
	w.T.Helper()
	page, err := w.People.HealthEntries(w.T.Context(), w.Owner, ref, nil, "")
	w.Must(err)
	for _, h := range page.Data {
		text := h.Text
		if h.Alert {
			text += "!"
		}
		all = append(all, text)
	}
	return all
}

// A consent is kept as it was worded, with its last day; the newest that wasn't withdrawn counts.
func TestConsents(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	c, err := w.People.RecordConsent(ctx, w.ana, w.mias, contact.ConsentInput{Kind: "patch-test", Signer: " Mia  Brandt ",
		Signature: "10,20 12,24;300,100"})
	w.Must(err)
	today := w.Clock.Now().In(time.FixedZone("", 3600)).Format(time.DateOnly)
	if c.Date != today || c.Wording != "I had a patch test." || !c.Valid || !c.Signed || c.Signer != "Mia  Brandt" || c.Author.By != w.ana.ID() {
		t.Errorf("%+v", c)
	}
	day, err := time.Parse(time.DateOnly, c.Date)
	w.Must(err)
	if want := day.AddDate(0, 0, 180).Format(time.DateOnly); c.End != want {
		t.Errorf("ends %s, want %s", c.End, want)
	}
	_, drawn, err := w.People.SignedConsent(ctx, w.Owner, w.mias, c.ID.String())
	w.Must(err)
	if got := drawn.Path(); got != "M10 20L12 24M300 100h.1" {
		t.Errorf("drawn %q", got)
	}
	_, err = w.Shop.UpdateWorkspace(ctx, w.Owner, func(x *catalog.Workspace) {
		x.Settings.Consents = slices.Clone(consentKinds)
		x.Settings.Consents[1].Wording, x.Settings.Consents[1].Days = "Another wording.", 0
	})
	w.Must(err)
	old := w.agreed(w.mias, "patch-test", "2020-02-29")
	if old.Wording != "Another wording." || old.End != "" || !old.Valid {
		t.Errorf("%+v", old)
	}
	list, err := w.People.Consents(ctx, w.Owner, w.mias, new(1), "")
	w.Must(err)
	next, err := w.People.Consents(ctx, w.Owner, w.mias, new(1), *list.NextCursor)
	w.Must(err)
	if len(next.Data) != 1 || next.Data[0].ID != c.ID || next.Data[0].Wording != "I had a patch test." || next.HasMore {
		t.Errorf("%+v", next)
	}
	latest := func() string {
		g, err := w.Reader(ctx).LatestConsent(w.Workspace.ID, w.mia.ContactID, "patch-test")
		if fault.Is(err, fault.NotFound) || errors.Is(err, fault.ErrNotFound) {
			return ""
		}
		w.Must(err)
		return g.Date
	}
	if got := latest(); got != today {
		t.Errorf("%s counts", got)
	}
	gone, err := w.People.WithdrawConsent(ctx, w.manager, w.mias, c.ID.String())
	w.Must(err)
	if gone.Valid || gone.WithdrawnAt == 0 || gone.WithdrawnBy.By != w.manager.ID() || gone.Signer == "" {
		t.Errorf("%+v", gone)
	}
	again, err := w.People.WithdrawConsent(ctx, w.Owner, w.mias, c.ID.String())
	if w.Must(err); again.WithdrawnBy.By != w.manager.ID() {
		t.Error("withdrawn twice")
	}
	if got := latest(); got != "2020-02-29" {
		t.Errorf("%s counts", got)
	}
	w.Clock.Advance(181 * 24 * time.Hour)
	for _, in := range []contact.ConsentInput{{Kind: "none"}, {Kind: "photos", Date: "2999-01-01"}, {Kind: "photos", Date: "1.2."},
		{Kind: "photos", Signature: "1,2 600,3"}, {Kind: "photos", Signature: "M0 0\"><script>"}, {Kind: "photos", Signature: strings.Repeat("1,1;", 201) + "1,1"},
		{Kind: "photos", Signature: strings.Repeat("1,1 ", 5000)}, {Kind: "photos", Signer: strings.Repeat("x", 201)}} {
		if _, err := w.People.RecordConsent(ctx, w.Owner, w.mias, in); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%.60v: %v", in, err)
		}
	}
}

// A consent is valid on its last day, by the clock of the business, and not on the next one.
func TestEndOfAConsent(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	c := w.agreed(w.mias, "patch-test", "")
	w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "PPD"})
	zone, err := time.LoadLocation("Europe/Berlin")
	w.Must(err)
	end, err := time.ParseInLocation(time.DateOnly, c.End, zone)
	w.Must(err)
	for _, x := range []struct {
		at    time.Time
		valid bool
	}{{end.Add(time.Minute), true}, {end.Add(24*time.Hour - time.Minute), true}, {end.Add(24*time.Hour + time.Minute), false}} {
		w.Clock.Set(x.at)
		page, err := w.People.Consents(t.Context(), w.Owner, w.mias, nil, "")
		w.Must(err)
		alerts, err := w.People.Alerts(t.Context(), w.Owner, w.mias)
		w.Must(err)
		if page.Data[0].Valid != x.valid || len(alerts) == 1 != x.valid {
			t.Errorf("at %s: valid %t, %d in red; want %t", x.at, page.Data[0].Valid, len(alerts), x.valid)
		}
	}
}

// What a customer has read is what is kept: a consent isn't recorded if the wording, or for how long it is valid, has changed
// since.
func TestConsentAsItWasRead(t *testing.T) {
	w := newHealthWorld(t, nil)
	record := func(read string) (contact.Consent, error) {
		return w.People.RecordConsent(t.Context(), w.Owner, w.mias, contact.ConsentInput{Kind: "patch-test", Signer: "Mia", Read: read})
	}
	change := func(edit func(k *catalog.ConsentKind)) {
		_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
			x.Settings.Consents = slices.Clone(consentKinds)
			edit(&x.Settings.Consents[1])
		})
		w.Must(err)
	}
	read := consentKinds[1].Worded()
	for _, edit := range []func(k *catalog.ConsentKind){
		func(k *catalog.ConsentKind) { k.Wording = "Everything is sold." },
		func(k *catalog.ConsentKind) { k.Days = 0 },
	} {
		change(edit)
		_, err := record(read)
		w.Refused(err, fault.Conflict, "consent_reworded")
	}
	change(func(k *catalog.ConsentKind) { k.Name = "Test" })
	c, err := record(read)
	w.Must(err)
	if c.Wording != consentKinds[1].Wording || w.count("contact_consents") != 1 {
		t.Errorf("%+v", c)
	}
	_, err = record("") // nothing was shown here: it was given on paper
	w.Must(err)
}

// Health is kept with a valid consent, encrypted; it is red as long as that is valid, a reaction for good, and gone at once
// when that is withdrawn.
func TestHealth(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	_, err := w.People.AddHealth(ctx, w.Owner, w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	w.Refused(err, fault.Conflict, "consent_missing")
	photos := w.agreed(w.mias, "photos", "")
	_, err = w.People.AddHealth(ctx, w.Owner, w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "x", Consent: photos.ID.String()})
	w.Refused(err, fault.Conflict, "consent_missing")
	test := w.agreed(w.mias, "patch-test", "")
	w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	w.ill(w.mias, contact.HealthInput{Kind: contact.PatchTest, Text: "fine"})
	w.ill(w.mias, contact.HealthInput{Kind: contact.PatchTest, Text: "red skin", Reaction: true})
	if got := strings.Join(w.health(w.mias), ", "); got != "red skin!, fine, zanzibarine!" {
		t.Error(got)
	}
	w.Clock.Advance(181 * 24 * time.Hour)
	if got := strings.Join(w.health(w.mias), ", "); got != "red skin!, fine, zanzibarine" {
		t.Errorf("after its end: %s", got)
	}
	_, err = w.People.AddHealth(ctx, w.Owner, w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "x"})
	w.Refused(err, fault.Conflict, "consent_missing")
	renewed := w.agreed(w.mias, "patch-test", "")
	if got := strings.Join(w.health(w.mias), ", "); got != "red skin!, fine, zanzibarine!" {
		t.Errorf("renewed: %s", got)
	}
	health := w.agreed(w.mias, "health", "")
	kept := w.ill(w.mias, contact.HealthInput{Kind: contact.Condition, Text: "expecting", Consent: health.ID.String()})
	_, err = w.People.WithdrawConsent(ctx, w.Owner, w.mias, test.ID.String())
	w.Must(err)
	if got := len(w.health(w.mias)); got != 4 {
		t.Errorf("%d entries hang on the renewed one", got)
	}
	_, err = w.People.WithdrawConsent(ctx, w.Owner, w.mias, renewed.ID.String())
	w.Must(err)
	if got := strings.Join(w.health(w.mias), ", "); got != "expecting" {
		t.Errorf("withdrawn: %s", got)
	}
	if n := w.count("contact_health"); n != 1 {
		t.Errorf("%d rows are left", n)
	}
	w.Must(w.People.DeleteHealth(ctx, w.Owner, w.mias, kept.ID.String()))
	w.Refused(w.People.DeleteHealth(ctx, w.Owner, w.mias, kept.ID.String()), fault.NotFound, "")
	for _, in := range []contact.HealthInput{{Kind: "note", Text: "x"}, {Kind: contact.Allergy}, {Kind: contact.Allergy, Text: "x", Date: "2999-01-01"},
		{Kind: contact.Allergy, Text: strings.Repeat("x", 1001)}} {
		if _, err := w.People.AddHealth(ctx, w.Owner, w.mias, in); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%.60v: %v", in, err)
		}
	}
	for i := len(w.health(w.mias)); i < contact.MaxHealth; i++ {
		w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "x"})
	}
	_, err = w.People.AddHealth(ctx, w.Owner, w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "x"})
	w.Refused(err, fault.Conflict, "too_many_health_entries")
}

// An entry hangs on the consent that holds longest, not on the one that was given last: else it would go from the red ones
// while the customer has agreed.
func TestHealthHangsOnWhatHolds(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	w.agreed(w.mias, "health", "")
	w.agreed(w.mias, "patch-test", "")
	w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	w.Clock.Advance(181 * 24 * time.Hour)
	if got := strings.Join(w.health(w.mias), ", "); got != "zanzibarine!" {
		t.Error(got)
	}
	alerts, err := w.People.Alerts(t.Context(), w.Owner, w.mias)
	w.Must(err)
	if len(alerts) != 1 {
		t.Errorf("%d are in red", len(alerts))
	}
	covers, err := w.People.CoversHealth(t.Context(), w.Owner, w.mias)
	w.Must(err)
	w.agreed(w.cys, "patch-test", "")
	covered, err := w.People.CoversHealth(t.Context(), w.Owner, w.cys)
	w.Must(err)
	w.Clock.Advance(181 * 24 * time.Hour)
	ended, err := w.People.CoversHealth(t.Context(), w.Owner, w.cys)
	w.Must(err)
	if !covers || !covered || ended {
		t.Errorf("%v %v %v", covers, covered, ended)
	}
}

// Undoing an import leaves whom it made and who has agreed to something since.
func TestUndoKeepsWhoAgreed(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	im, err := w.People.ImportContacts(ctx, w.Owner, contact.ImportInput{File: []byte("Name,Email\nNoa,noa@x.example\nOle,ole@x.example\n")})
	w.Must(err)
	page, err := w.People.ContactsWith(ctx, w.Owner, "noa@x.example", "")
	w.Must(err)
	ref := page.Data[0].ID.String()
	w.agreed(ref, "health", "")
	w.ill(ref, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	undone, err := w.People.UndoImport(ctx, w.Owner, im.ID.String())
	w.Must(err)
	if undone.Undone != 1 || undone.Stays != 1 {
		t.Errorf("%+v", undone)
	}
	if got := strings.Join(w.health(ref), ", "); got != "zanzibarine!" {
		t.Error(got)
	}
}

// Without a key of the server there is no health, but there are consents.
func TestHealthWithoutAKey(t *testing.T) {
	w := newHealthWorld(t, nil)
	w.agreed(w.mias, "health", "")
	_, err := w.People.AddHealth(t.Context(), w.Owner, w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "x"})
	w.Refused(err, fault.Conflict, "no_secret_key")
	if w.People.HealthKept() || len(w.health(w.mias)) > 0 {
		t.Error("health is kept")
	}
}

// Who sees the card sees consents and health, and nobody else: no restricted key, no agent, nobody of another salon.
func TestHealthRights(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	other := w.Beside("other", "ana")
	c := w.agreed(w.mias, "health", "")
	h := w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "secret"})
	key := func(change func(*app.Actor)) app.Actor {
		a := w.API
		a.Areas = right.Contacts
		change(&a)
		return a
	}
	agent := w.Owner
	agent.Kind = booking.ByAgent
	const none, writes, manages = "none", "writes", "manages"
	for who, x := range map[string]struct {
		a   app.Actor
		may string
	}{
		"the owner": {w.Owner, manages}, "a manager": {w.manager, manages}, "who serves her": {w.ana, writes},
		"who doesn't":           {w.bob, none},
		"a key with the area":   {key(func(*app.Actor) {}), manages},
		"a key without it":      {w.API, none},
		"a key that reads":      {key(func(a *app.Actor) { a.ReadOnly = true }), none},
		"a restricted key":      {key(func(a *app.Actor) { a.Limits = &right.Limits{Rights: right.SeeContacts | right.AddContacts} }), none},
		"an agent's key":        {key(func(a *app.Actor) { a.Kind = booking.ByAgent }), none},
		"the owner's agent":     {agent, none},
		"the invitee":           {app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: w.mia.ID, Contact: w.mia.ContactID}, none},
		"an approver":           {app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Booking: w.mia.ID}, none},
		"the system":            {app.Actor{Kind: booking.BySystem, Workspace: w.Workspace.ID}, none},
		"nobody":                {app.Actor{Workspace: w.Workspace.ID}, none},
		"the owner of another":  {other.Owner, none},
		"a key of another shop": {app.Actor{Kind: booking.ByAPI, Workspace: other.Workspace.ID, Key: 9, Areas: right.Contacts}, none},
	} {
		check := func(what string, needs string, err error) {
			t.Helper()
			may := x.may == manages || x.may == needs
			if may != (err == nil) || err != nil && !fault.Is(err, fault.Forbidden) && !fault.Is(err, fault.NotFound) {
				t.Errorf("%s by %s: %v", what, who, err)
			}
		}
		list, err := w.People.Consents(ctx, x.a, w.mias, nil, "")
		check("consents", writes, err)
		one, drawn, err := w.People.SignedConsent(ctx, x.a, w.mias, c.ID.String())
		check("a consent", writes, err)
		health, err := w.People.HealthEntries(ctx, x.a, w.mias, nil, "")
		check("health", writes, err)
		alerts, err := w.People.Alerts(ctx, x.a, w.mias)
		check("alerts", writes, err)
		if x.may == none && (len(list.Data)+len(drawn)+len(health.Data)+len(alerts) > 0 || one.Wording != "") {
			t.Errorf("%s is told", who)
		}
		made, err := w.People.RecordConsent(ctx, x.a, w.mias, contact.ConsentInput{Kind: "photos"})
		check("record", writes, err)
		_, err = w.People.WithdrawConsent(ctx, x.a, w.mias, made.ID.String())
		check("withdraw", writes, err)
		_, err = w.People.AddHealth(ctx, x.a, w.mias, contact.HealthInput{Kind: contact.Condition, Text: "x"})
		check("write", writes, err)
		mine := w.ill(w.mias, contact.HealthInput{Kind: contact.Condition, Text: "to be deleted"})
		check("delete", manages, w.People.DeleteHealth(ctx, x.a, w.mias, mine.ID.String()))
		if x.may != none { // by the name of another customer it is not found
			for _, err := range []error{w.People.DeleteHealth(ctx, x.a, w.cys, h.ID.String()),
				func() error { _, err := w.People.WithdrawConsent(ctx, x.a, w.cys, c.ID.String()); return err }(),
				func() error { _, _, err := w.People.SignedConsent(ctx, x.a, w.cys, c.ID.String()); return err }()} {
				if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Forbidden) {
					t.Errorf("of another customer by %s: %v", who, err)
				}
			}
		}
	}
	if got := w.health(w.mias); got[len(got)-1] != "secret!" {
		t.Error(got)
	}
}

// Merging keeps the health of both, and withdrawing what counts then takes all of its kind along.
func TestMergeHealth(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	w.agreed(w.mias, "health", "2025-01-02")
	w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "of Mia", Date: "2025-01-02"})
	w.agreed(w.cys, "health", "2025-03-04")
	w.ill(w.cys, contact.HealthInput{Kind: contact.Allergy, Text: "of Cy", Date: "2025-03-04"})
	_, err := w.People.MergeContacts(ctx, w.Owner, w.mias, w.cys)
	w.Must(err)
	page, err := w.People.HealthEntries(ctx, w.Owner, w.cys, nil, "")
	w.Must(err)
	if len(page.Data) != 2 || page.Data[0].Date != "2025-03-04" || page.Data[1].Date != "2025-01-02" || page.Data[1].Text != "of Mia" {
		t.Fatalf("%+v", page.Data)
	}
	all, err := w.People.Consents(ctx, w.Owner, w.cys, nil, "")
	w.Must(err)
	if len(all.Data) != 2 || all.Data[0].Date != "2025-03-04" || all.Data[1].Date != "2025-01-02" {
		t.Fatalf("%+v", all.Data)
	}
	_, err = w.People.WithdrawConsent(ctx, w.Owner, w.cys, all.Data[0].ID.String())
	w.Must(err)
	if got := w.health(w.cys); len(got) > 0 {
		t.Error(got)
	}
}

// No event tells of what stands on a card, or of what somebody agreed to, and no mail of it waits.
func TestNoEventTellsOfCards(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	w.Must(w.fields(own()))
	_, err := w.Mail.WriteMails(ctx, 1000)
	w.Must(err)
	events, mails := w.count("events"), w.count("mails")
	_, err = w.changed(w.Owner, w.mias, booking.ContactInput{Tags: []string{"VIP"}, Birthday: new("1990-05-03"), TellBy: new("call"), Fields: map[string]any{"dog": "Rex"}})
	w.Must(err)
	e := w.noted(w.mias, "an entry")
	_, err = w.People.PinEntry(ctx, w.Owner, w.mias, e.ID.String(), true)
	w.Must(err)
	f, err := w.adds(w.Owner, w.mias, contact.FileInput{}, pdf(100))
	w.Must(err)
	c := w.agreed(w.mias, "health", "")
	w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	_, err = w.People.WithdrawConsent(ctx, w.Owner, w.mias, c.ID.String())
	w.Must(err)
	w.Must(w.People.DeleteFile(ctx, w.Owner, w.mias, f.ID.String()))
	w.Must(w.People.DeleteEntry(ctx, w.Owner, w.mias, e.ID.String()))
	_, err = w.Mail.WriteMails(ctx, 1000)
	w.Must(err)
	if n := w.count("events") - events; n != 0 {
		t.Errorf("%d events tell of it", n)
	}
	if n := w.count("mails") - mails; n != 0 {
		t.Errorf("%d mails tell of it", n)
	}
}

// An erasure leaves no row, the file about the person has all of it, and a kind that a service requires stays.
func TestHealthGoesWithThePerson(t *testing.T) {
	w := newHealthWorld(t, sealedWith(1))
	ctx := t.Context()
	w.agreed(w.mias, "health", "")
	w.ill(w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "zanzibarine"})
	var file bytes.Buffer
	w.Must(w.Privacy.ExportPerson(ctx, w.Owner, w.mias, &file))
	var got struct {
		Consents []struct{ Wording, Signer string }
		Health   []struct{ Text string }
	}
	w.Must(json.Unmarshal(file.Bytes(), &got))
	if len(got.Consents) != 1 || got.Consents[0].Signer != "Mia B." || len(got.Health) != 1 || got.Health[0].Text != "zanzibarine" {
		t.Errorf("%+v", got)
	}
	var all bytes.Buffer
	w.Must(w.Report.ExportAll(ctx, w.Owner, false, &all))
	if strings.Contains(all.String(), "contact_health") || strings.Contains(all.String(), "health.jsonl") {
		t.Error("the export has health")
	}
	_, err := w.Cancel(ctx, w.Owner, w.mia.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.Must(w.People.DeleteContact(ctx, w.Owner, w.mias))
	if n := w.count("contact_health") + w.count("contact_consents"); n > 0 {
		t.Errorf("%d rows are left", n)
	}
}

// What is sealed opens with the same key only; a key that the server gets later seals what was stored before.
func TestHealthWithAnotherKey(t *testing.T) {
	w := newHealthWorld(t, nil)
	ctx := context.Background()
	c := w.agreed(w.mias, "health", "")
	if plain, _, err := w.Upkeep.StoredSecrets(ctx); err != nil || plain == 0 {
		t.Fatal(plain, err)
	}
	config := w.Config
	sealedWith(1)(&config)
	later := subjects.New(config)
	if n, err := later.Upkeep.SealSecrets(ctx); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if n := w.count("card_keys WHERE sealed LIKE 'sealed:%'"); n != 1 {
		t.Errorf("%d keys of cards were sealed", n)
	}
	if got, _, err := later.People.SignedConsent(ctx, w.Owner, w.mias, c.ID.String()); err != nil || got.Signer != "Mia B." {
		t.Error(got, err)
	}
	if _, err := later.People.AddHealth(ctx, w.Owner, w.mias, contact.HealthInput{Kind: contact.Allergy, Text: "PPD"}); err != nil {
		t.Error(err)
	}
	if _, sealed, err := later.Upkeep.StoredSecrets(ctx); err != nil || sealed == 0 {
		t.Error(sealed, err)
	}
	sealedWith(2)(&config)
	wrong := subjects.New(config)
	if _, _, err := wrong.Upkeep.StoredSecrets(ctx); err == nil {
		t.Error("another key passes the check")
	}
	if _, err := wrong.People.HealthEntries(ctx, w.Owner, w.mias, nil, ""); err == nil || fault.As(err) != nil {
		t.Errorf("another key: %v", err)
	}
	if n := w.count("contact_health WHERE sealed LIKE '%PPD%'"); n > 0 {
		t.Error("the text stands in the clear")
	}
}

// A kind that a service requires can't be removed, and a service requires known kinds, each once.
func TestKindsInUse(t *testing.T) {
	w := newHealthWorld(t, nil)
	ctx := t.Context()
	save := func(r ...catalog.Requirement) error {
		_, err := w.Shop.ChangeEventType(ctx, w.Owner, "cut-a", func(_ *catalog.Setup, e *catalog.EventType) error {
			e.Requires = r
			return nil
		})
		return err
	}
	for _, wrong := range [][]catalog.Requirement{{{Consent: "none"}}, {{Consent: "photos"}, {Consent: "photos"}}, {{Consent: "photos", Within: -1}},
		{{Consent: "photos", Within: 3651}}} {
		if err := save(wrong...); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	w.Must(save(catalog.Requirement{Consent: "patch-test", Within: 180}))
	keep := func(all ...catalog.ConsentKind) error {
		_, err := w.Shop.UpdateWorkspace(ctx, w.Owner, func(x *catalog.Workspace) { x.Settings.Consents = all })
		return err
	}
	w.Refused(keep(consentKinds[0]), fault.BadRequest, "invalid")
	w.Must(keep(consentKinds[1]))
	for _, wrong := range []catalog.ConsentKind{{Key: "A", Name: "A", Wording: "a"}, {Key: "a", Wording: "a"}, {Key: "a", Name: "A"}, {Key: "a", Name: "A", Wording: "a", Days: -1}, consentKinds[1]} {
		if err := keep(consentKinds[1], wrong); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	w.Must(save())
	w.Must(keep())
}
