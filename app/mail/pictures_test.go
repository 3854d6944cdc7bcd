package mail_test

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/finding"

	post "daybook/app/mail"
	"daybook/app/mail/smtp"
)

const ownWords = "Plan: https://maps.example/?a=1&b=2."

// wordsAndRoom: the owner's words stand in each mail to the invitee, with their address as a link, and the video room in
// those of bookings that take place.
func wordsAndRoom(t *testing.T, kind string, m *smtp.Message) {
	t.Helper()
	invitee := !strings.HasPrefix(kind, "team_")
	link := `<a href="https://maps.example/?a=1&amp;b=2" rel="noopener noreferrer" target="_blank" class="link"`
	if strings.Contains(m.Text, ownWords) != invitee || strings.Contains(m.HTML, link) != invitee ||
		strings.Contains(m.Text, "any language") || strings.Contains(m.Text, "PS: ") != (kind == "receipt") {
		t.Errorf("%s: words\n%s\n%s", m.ID, m.Text, m.HTML)
	}
	over := slices.Contains([]string{"cancelled", "declined", "lapsed", "team_cancelled", "refunded"}, kind)
	const room = "https://meet.jit.si/"
	if kind == "receipt" || ofNoBooking(kind) {
		return
	}
	if !over && !slices.Contains([]string{"waiting", "team_decision", "reminder"}, kind) {
		return // this booking was cancelled later
	}
	calendar := strings.ReplaceAll(m.Invitation, "\r\n ", "")
	if shown := strings.Contains(m.Text, room) && strings.Contains(m.HTML, `<a href="`+room); shown == over {
		t.Errorf("%s: the room is shown: %v\n%s", m.ID, shown, m.Text)
	}
	if inside := strings.Contains(calendar, "CONFERENCE;FEATURE=VIDEO;VALUE=URI:"+room); m.Invitation != "" && inside == over {
		t.Errorf("%s: the room is in the calendar: %v\n%s", m.ID, inside, calendar)
	}
}

// ofNoBooking reports whether mails of the kind are about something else than a booking.
func ofNoBooking(kind string) bool {
	return kind == "team_endpoint" || kind == "team_calendar" || kind == "team_server" || kind == "team_texts" || kind == "security"
}

// every writes one mail of each kind, as its recipient gets it, in a language.
func (x *bed) everyMail(lang string) []*smtp.Message {
	x.T.Helper()
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	ws := setup.Workspace
	ws.Settings = catalog.Settings{Color: "#b3446c", Locale: lang, Phone: "+49 30 901820", Address: "Oranienstraße 25, 10999 Berlin"}
	ws.Tax = &money.Tax{Mode: money.TaxIncluded, Name: "VAT", Number: "DE 123", Rate: 19000}
	x.Must(x.Store.Write(x.T.Context(), func(tx app.Tx) error { return tx.UpdateWorkspace(&ws) }))
	x.event(func(e *catalog.EventType) {
		e.MailsOff, e.ReminderMinutes = nil, []int{60}
		e.Questions = []catalog.Question{{Key: "hair", Label: "How long is your hair?", Type: "text"}}
		e.Price = &money.Money{Amount: 4500, Currency: "EUR"}
		e.Where = &catalog.Where{Kind: catalog.Video}
		e.Words = []catalog.MailWords{{Text: "any language"}, {Locale: lang, Text: ownWords + "\n\n<b>my dog</b>"}, {Kind: catalog.MailReceipt, Text: "PS: " + ownWords}}
	})
	_, err = x.Account.CreateUser(x.T.Context(), app.Operator(x.Workspace.ID), account.UserInput{Email: "boss-" + lang + "@salon.example", Role: app.OwnerRole})
	x.Must(err)
	in := booking.BookInput{
		EventType: "cut", Start: apptest.Monday.Add(50 * time.Hour).Format(time.RFC3339), Notes: "Please mind the fringe.\nI come with <b>my dog</b> & a friend.",
		Answers: map[string]any{"hair": "40 cm"},
		Invitee: booking.Invitee{Name: "Jörg <script>alert(1)</script> Müller", Email: "jo@mail.example", Phone: "+49 30 1", TimeZone: "America/New_York", Locale: lang},
	}
	book := func(hours int) booking.Booking {
		in.Start = apptest.Monday.Add(time.Duration(hours) * time.Hour).Format(time.RFC3339)
		b, err := x.Book(x.T.Context(), x.API, in)
		x.Must(err)
		return b
	}
	id := book(50).ID.String()
	_, err = x.Reschedule(x.T.Context(), x.API, id, app.RescheduleInput{Start: apptest.Monday.Add(75 * time.Hour).Format(time.RFC3339), Reason: "Ana has a dentist’s appointment."})
	x.Must(err)
	_, err = x.Cancel(x.T.Context(), x.API, id, app.CancelInput{Reason: "We are closed that day.\nSorry!"})
	x.Must(err)
	x.event(func(e *catalog.EventType) { e.RequiresApproval = true })
	id = book(100).ID.String()
	x.drain()
	waiting := x.compose(id, map[string]bool{"waiting": true, "team_decision": true}, lang)
	_, err = x.Confirm(x.T.Context(), x.API, id)
	x.Must(err)
	paid, err := x.Counter.Record(x.T.Context(), x.Owner, id, counter.Input{Amount: 4500, Tip: 500, Method: booking.ByCard})
	x.Must(err)
	x.Must(x.Counter.MailReceipt(x.T.Context(), x.Owner, paid.Payments[0].Receipt.String(), "jo@mail.example"))
	_, err = x.AnswerComing(x.T.Context(), x.API, id, false, booking.ComingSpoken)
	x.Must(err)
	id2 := book(120).ID.String()
	_, err = x.Decline(x.T.Context(), x.API, id2, "That day is full.")
	x.Must(err)
	book(140)
	x.drain()
	x.Clock.Advance(49 * time.Hour)
	_, err = x.Lapse(x.T.Context(), 10)
	x.Must(err)
	x.drain()
	all := append(waiting, x.compose("", nil, lang)...)
	x.Must(x.Store.Write(x.T.Context(), func(tx app.Tx) error {
		return tx.(post.Tx).InsertMails(post.Mail{ID: post.MailID(time.Now().UnixNano()), WorkspaceID: x.Workspace.ID, Kind: catalog.MailTeamEndpoint, To: "boss@salon.example",
			Facts: post.Facts{For: post.ToOwner, URL: "https://hooks.example.com/catch/123456/abcdef?source=daybook", Reason: "failing"}})
	}))
	x.Must(x.Store.Write(x.T.Context(), func(tx app.Tx) error {
		_, err := x.Mail.CalendarRefused(tx, x.Workspace.ID, setup.Hosts[0].ID, post.CalendarAlert{Connection: "cc_1", Name: "Privat", Account: "ana@calendar.example", Blocks: true, Writes: true})
		if err != nil {
			return err
		}
		return x.Mail.ServerTrouble(tx, x.Workspace.ID, []finding.Finding{
			{Check: "disk", State: finding.Warning, Said: "disk_soon", Facts: []finding.Fact{finding.Bytes("Free", 3e9),
				finding.Bytes("Size", 40e9), finding.Span("Left", 5*when.Day)}},
			{Check: "replica", State: finding.Failed, Said: "replica_down", Facts: []finding.Fact{finding.Words("Name", "s3://salon/copies"),
				finding.At("Synced", when.At(apptest.Monday)), finding.Words("Problem", "connection refused")}}})
	}))
	x.Must(x.Store.Write(x.T.Context(), func(tx app.Tx) error {
		return errors.Join(x.Mail.TextsUsed(tx, x.Workspace.ID, post.TextsAlert{Percent: 80, Cap: 500}),
			x.Mail.TextsUsed(tx, x.Workspace.ID, post.TextsAlert{Percent: 100, Cap: 500}))
	}))
	waited, err := x.Booking(x.T.Context(), x.API, id)
	x.Must(err)
	x.Must(x.Store.Write(x.T.Context(), func(tx app.Tx) error {
		return tx.(post.Tx).InsertMails(post.Mail{ID: post.MailID(time.Now().UnixNano()), WorkspaceID: x.Workspace.ID, BookingID: waited.ID, Kind: catalog.MailRefunded, To: "jo@mail.example",
			Facts: post.Facts{For: post.ToInvitee, Start: when.At(apptest.Monday), End: when.At(apptest.Monday) + 1, Host: 1, Status: booking.Cancelled, By: booking.BySystem, Amount: &money.Money{Amount: 4500, Currency: "EUR"}}})
	}))
	all = append(all, x.compose("", map[string]bool{"team_endpoint": true, "team_calendar": true, "team_server": true, "team_texts": true, "refunded": true}, lang)...)
	x.Must(x.Store.Write(x.T.Context(), func(tx app.Tx) error {
		_, err := tx.(post.Tx).PruneMails(1<<62, 1000)
		return err
	}))
	return all
}

func (x *bed) drain() {
	x.T.Helper()
	for {
		n, err := x.Mail.WriteMails(x.T.Context(), 100)
		x.Must(err)
		if n == 0 {
			return
		}
	}
}

// compose writes the first mail of each kind and role that the log has.
func (x *bed) compose(booking string, kinds map[string]bool, lang string) (all []*smtp.Message) {
	x.T.Helper()
	seen := map[string]bool{}
	for _, m := range x.log() {
		key := string(m.Kind) + "-" + string(m.Facts.For)
		if seen[key] || kinds != nil && !kinds[string(m.Kind)] || kinds == nil && (m.Kind == catalog.MailWaiting || m.Kind == catalog.MailTeamDecision) || booking != "" && m.BookingID.String() != booking {
			continue
		}
		seen[key] = true
		out, err := post.Compose(x.T.Context(), x.Mail, &m, mail.Address{Address: "book@salon.example"})
		x.Must(err)
		out.ID = fmt.Sprintf("%s-%s", key, lang)
		all = append(all, out)
	}
	return all
}

// Each mail of each language says all that it should in words that were translated, loads nothing, and runs nothing.
func TestEveryMailInEveryLanguage(t *testing.T) {
	kinds := map[string]int{}
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for _, m := range newBed(t).everyMail(lang) {
			kind, _, _ := strings.Cut(m.ID, "-")
			kinds[kind]++
			for _, text := range []string{m.Subject, m.Text, m.HTML} {
				for _, wrong := range []string{"mail_", "till_", "{{", "<no value>", "<script>alert", "<b>my dog", "src=", "url(", "@import", "<img", "<link"} {
					if strings.Contains(text, wrong) && (wrong[0] != '<' || text == m.HTML) {
						t.Errorf("%s has %q:\n%s", m.ID, wrong, text)
					}
				}
				if text == "" || strings.Contains(m.Subject, "\n") {
					t.Errorf("%s: subject %q", m.ID, m.Subject)
				}
			}
			leftInEnglish(t, lang, m)
			wordsAndRoom(t, kind, m)
			if !ofNoBooking(kind) && !strings.Contains(m.Text, "Haircut") {
				t.Errorf("%s:\n%s", m.ID, m.Text)
			}
			if wants := !strings.HasSuffix(m.ID, "owner-"+lang) && kind != "refunded" && kind != "receipt" && kind != "team_not_coming" && !ofNoBooking(kind); wants != (m.Invitation != "") {
				t.Errorf("%s: invitation %q", m.ID, m.Invitation)
			}
		}
	}
	for _, k := range append([]catalog.MailKind{catalog.MailReceipt}, catalog.MailKinds...) {
		if kinds[string(k)] < 4 && k != catalog.MailPaymentDue {
			t.Errorf("%d mails of kind %s", kinds[string(k)], k)
		}
	}
}

var (
	// What people wrote in everyMail, and names.
	written = regexp.MustCompile(`Haircut|Salon Ana|Plan: |any language|<b>my dog</b>|Please mind the fringe\.|I come with .*my dog.*|How long is your hair\?|Ana has a dentist’s appointment\.|` +
		`We are closed that day\.|Sorry!|That day is full\.|\S+@\S+|https?://\S+|New York, GMT\S+|Berlin, GMT\S+`)
	englishWords = regexp.MustCompile(`(?i)\b(AM|PM|the|your?|you|is|are|have|for|from|until|with|booked|booking|cancelled|reminder|` +
		`Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Tue|Wed|Thu|Fri|Sat|Sun|` +
		`January|February|March|May|June|July|October|December|Dec|Jan)\b`)
	// A full date, and the day and time of a subject, as people write them in each language.
	fullDate = map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`[MTWFS]\w+day, (November|December) \d+, 2026\n\s+\d+:\d\d( [AP]M)?–?`),
		"de": regexp.MustCompile(`[MDFS]\w+, \d+\. (November|Dezember) 2026\n\s+\d\d:\d\d`),
		"fr": regexp.MustCompile(`[LMJVSD]\w+ (1er|[2-9]|\d\d) (novembre|décembre) 2026\n\s+\d\d:\d\d`),
		"es": regexp.MustCompile(`[LMXJVSD]\pL+, \d+ de (noviembre|diciembre) de 2026\n\s+\d\d:\d\d`),
	}
	subjectDate = map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`, \w{3}, (Nov|Dec) \d+, \d+:\d\d [AP]M$`),
		"de": regexp.MustCompile(`, (Mo|Di|Mi|Do|Fr|Sa|So), \d+\. (Nov|Dez)\., \d\d:\d\d$`),
		"fr": regexp.MustCompile(`, (lun|mar|mer|jeu|ven|sam|dim)\. (1er|[2-9]|\d\d) (nov|déc)\., \d\d:\d\d$`),
		"es": regexp.MustCompile(`, (lun|mar|mié|jue|vie|sáb|dom), \d+ (nov|dic), \d\d:\d\d$`),
	}
)

// leftInEnglish reports English words, and dates and amounts that are not written as the language writes them.
func leftInEnglish(t *testing.T, lang string, m *smtp.Message) {
	t.Helper()
	if lang != "en" {
		for _, text := range []string{m.Subject, m.Text} {
			if found := englishWords.FindString(written.ReplaceAllString(text, "")); found != "" {
				t.Errorf("%s has the English %q:\n%s", m.ID, found, text)
			}
		}
	}
	if kind, _, _ := strings.Cut(m.ID, "-"); ofNoBooking(kind) {
		return
	}
	dates, subject := fullDate[lang].MatchString(m.Text), subjectDate[lang].MatchString(m.Subject)
	if strings.HasPrefix(m.ID, "receipt-") { // a day and its time stand within a line, and none in the subject
		inLine := regexp.MustCompile("(?i)" + strings.Replace(fullDate[lang].String(), `\n\s+`, `, `, 1))
		dates, subject = inLine.MatchString(m.Text), true
	}
	if !dates || !subject {
		t.Errorf("%s: dates\n%s\n%s", m.ID, m.Subject, m.Text)
	}
	if amount := map[bool]string{true: "€45", false: "45 €"}[lang == "en"]; strings.HasPrefix(m.ID, "receipt-") {
		exact := map[bool]string{true: "€45.00", false: "45,00 €"}[lang == "en"]
		if !strings.Contains(m.Text, exact) && !strings.Contains(m.Text, strings.ReplaceAll(exact, " ", " ")) {
			t.Errorf("%s: amounts\n%s", m.ID, m.Text)
		}
	} else if strings.Contains(m.Text, "€") && !strings.Contains(m.Text, amount) {
		t.Errorf("%s: amounts\n%s", m.ID, m.Text)
	}
}

// DAYBOOK_SHOTS=dir go test ./app/mail -run Pictures writes a picture of each mail in each language, light and dark.
func TestPictures(t *testing.T) {
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		t.Skip("DAYBOOK_SHOTS names no directory")
	}
	ctx := browser.Open(t)
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for _, m := range newBed(t).everyMail(lang) {
			for _, theme := range []string{"light", "dark"} {
				width := int64(640)
				if theme == "dark" {
					width = 390
				}
				media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
				if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
					t.Fatal(err)
				}
				for _, step := range []chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(width, 700), chromedp.Navigate("data:text/html;charset=utf-8," + url.PathEscape(m.HTML))} {
					if err := chromedp.Do(ctx, step); err != nil {
						t.Fatal(err)
					}
				}
				png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, m.ID+"-"+theme+".png"), png, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
