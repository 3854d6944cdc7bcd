package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/views"
)

// notHere are the parts of app whose errors no page of the dashboard shows.
var notHere = []string{"access", "agent", "agentsetup", "apptest", "assistant", "calendar", "cli", "decide", "demo",
	"field", "gate", "page", "rest", "subjects", "serve", "setup", "upkeep", "vault", "payment/stripetest", "calsync/googletest", "calsync/graphtest", "calsync/oauthtest"}

// forPrograms are errors of fields and calls that no form of the dashboard has.
var forPrograms = []string{
	// Of vouchers on the booking page, which says them in its own words.
	"must lie between %s and %s",
	"must be a multiple of %d",
	"must be a date within a year from today, such as %s",
	"No vouchers are sold here.",
	"This link leads to no voucher. If you have not paid, nothing was sold: order it again.",
	"This voucher can't be printed here.",
	"This voucher was used already: ask at the counter for another print.",
	"the currency is another one now",
	// Of programs that show what a shared link leads to.
	"Too many previews are being made. Try again in a few seconds.",
	// Of programs that book and look somebody up.
	"must not be given together with invitation",
	"is required: that of the hold",
	"goes with minNoShows: give that too, or leave this out",
	// Of the command that reads a database of Cal.com.
	"reminders and other mails are the event types' own here: look at them in the settings", "Daybook has none",
	// Of sales, which pages put together themselves.
	"needs percent or amount, and not both",
	"must lie between 0.01 and 100, with at most two decimals",
	"must be open, paid, partially_refunded, refunded or void",
	"is a line of the sale that this booking is in",
	"must have a payment: %s is due",
	"names no payment of this sale, or one twice",
	"must lie between 1 and %d minor units: what is left of it for these lines",
	"must be what the payments add up to, %d",
	"has no line with the id %d",
	"may have one tip",
	"is only for a %s",
	"is required: the booking that is paid, or visitId",
	"is the booking's, and can't be said here",
	"can't be taken off a tip",
	"must be service, product, pass, voucher or tip",
	"pays for one booking, or in a sale of the whole visit",
	"must be at most %d",
	"is only for cash",
	"names a booking that another line has",
	"names no host of the workspace",
	"must be a month, such as 2026-11", // of a statement, whose page asks for a month that there is
	// Of passes, which pages put together themselves.
	"needs credits or amount, and not both",
	"must be voucher for a pass", "must be voucher for a pass, or left out", "can't be paid by a pass",
	"must leave amount out, or say %d: credits pay for whole seats",
	"must lie between 1 and %d minor units, or be left out",
	"must be that of whole credits",
	"%s can pay %s here.", // said by its reason at the till
	"must be the code of a pass or voucher",
	"can't pay for several dates or services that are paid online: leave it out, or book them one by one",
	// Of sales, said by field and reason: see saleProblem.
	"must lie between 1 and %d minor units",
	"Only %s is due. What is given on top is a tip: make it a line of the sale.",
	"must lie between 1 and %d minor units, which is what is left",
	"must lie between 1 and %d",
	"is required, between 1 and %d minor units",
	"must be at least the amount, and at most %d minor units",
	"Something was paid for this sale, or it is over: its lines stay as they are. Give money back instead, or make another sale.",
	"This booking is in a sale that is open: pay that one, or void it.",
	"no mail server has to be checked",
	"If-Match is empty, so no version of the %s matches: send an ETag, or leave the header out.",
	// Of the workspace's own fields of contacts, whose form asks for no other.
	"must be one of text, number, date and choice", "must be asked or required, or left out", "must be a text, a number or null",
	"the type of %q stays %s: add a field of another key, or remove this one with its values first",
	// Of keys that see a part of the hosts.
	"None of the hosts that you see is free then.",
	// Of public keys, where they are used.
	"This is a public key: it works at /api/v1/public/… only, for open times and booking. Use a secret key, on a server, for everything else.",
	"Only public keys (pk_…) work here. Keep this key out of web pages; on a server, the same is at /api/v1/…",
	"Pages of %s may not use this key. Its owner lists the origins when it is made.",
	// Of restricted keys.
	"This API key is restricted, and no right opens this.",
	// Of lists of events.
	"must be the id of a booking, such as data.id of an event about one", "must be asc or desc",
	// Of needs, whose form lets nobody mix them.
	"give either oneOf and during, or hosts and of",
	"must lie between %d and %d, the host who leads among them",
	"only one need may be of hosts",
	"there is no host %s",
	// Of holds, which programs and visitors' forms make.
	"is required: the slug of an event type, or items for a visit",
	"order, samePerson and maxGap go with items",
	"the hold is of a visit: book all of its services, as a visit",
	"give either eventType or items, not both",
	"each of the items has its own host",
	"each of the items has its own add-ons",
	"a visit has one seat of each service",
	"Another service lasts from %s to %s: nobody can be in two at a time.",
	"the hold is of one service: book that one, not a visit",
	"the hold is of %d services",
	"the hold is of other services, hosts or times: give those with which it was made",
	// Of the waitlist, which programs and the pages of who waits use.
	"goes with several items",
	"must be of mon, tue, wed, thu, fri, sat and sun",
	"must be a day such as 2026-12-04",
	"must not lie behind the last day of the wishes, %s",
	"This business sends no mails at present, so that nothing can be offered by mail. Its page is %s.",
	"This person was asked lately, and has confirmed nothing yet. Try again tomorrow.",
	"This link leads to nothing any more: it was not confirmed in time, or is long over.",
	"must be one of unconfirmed, waiting, offered, booked and ended",
	"An entry that is %s can't be offered a time.",
	"This person is offered another time right now.",
	"This person waits for another host.",
	"It begins too soon: no time is left to answer.",
	"This time is not offered to you any more.",
	"This person has booked as much of it as one may.",
	// Of visits, which programs book.
	"must be 1 to %d",
	"give either items or excludeVisit, not both: a visit that moves keeps its services",
	"no booking of this visit stands any more",
	"the items name several hosts: name one, or leave samePerson out",
	"must be a whole minute",
	"at most %d minutes may lie between two services of a visit",
	"leave it out: the items have starts of their own",
	"must be an ISO 8601 time such as 2026-12-01T09:00:00Z",
	"goes with start: give both or none",
	"give start and host to all items, as availability shows them, or start to none",
	"none of these services asks that",
	"it would end at %s: ask for availability again",
	// Of lists, whose filters pages leave out.
	"must not be empty; leave it out to list all",
	"fits several people, such as %s: name one by e-mail address or telephone number, or ask with q for the bookings of all",
	// Of people's assistants.
	"Assistants can't book at this address.",
	"%q is no day; they are %s",
	"Another request of this person waits to be confirmed until %s. Confirm it, or ask again after that.",
	"%s It is booked at %s",
	"This person was mailed lately, or too many mails went out. Nothing is held; try again later, or book on the page.",
	"This request is over: it was confirmed already, it has expired, or a wrong code was given too often. Nothing more is booked by it. Look for open times and ask again.",
	"There is no such request here. Ask for a booking first.",
	"This is not the code of the mail. Ask the person to read it again; they can also open the mail's link.",
	"%s Ask for availability to see the open times.", // said by its reason: see reasonKeys
	"The API key is unknown, revoked or replaced. Send a valid one as Authorization: Bearer <API_KEY>.",
	"Too many requests with this key. Wait for Retry-After seconds and try again, with jitter.",
	"There is no user %s.",
	"There is no user %s; list them with: daybook user list",
	"is connected by signing in there: see the dashboard, Integrations",
	"must be ics, caldav, google or microsoft",
	// Of set-up files.
	"%s is %s; to connect another kind of calendar give it another name",
	"at most %d connections, and %d were made in the dashboard",
	"bookings are written into calendars of hosts only",
	"is required: this is another account, or a new one",
	"what %s holds is not an https:// address of a calendar",
	"%q is none of %s",
	"are of the target, and there is none",
	"must be env:NAME or file:/PATH, which say where the secret is: it never stands in the file",
	"isn't for ics: such an address has one calendar, which blocks and is never written",
	"%s is connected by signing in there: in the dashboard, Integrations, Calendars. A file lists ics and caldav",
	"must be ics or caldav",
	"that span has more than %d closed times; ask for fewer days, or for one host",
	"give either to or days, not both",
	"must be a whole number from 1 to %d",
	"This link leads to no booking. Use the link of your latest mail.",
	"is no %s; %s",
	"is not one that this list gave for this search; pass nextCursor as it was, with the other " +
		"parameters unchanged, or leave it out to begin again",
	"This calendar address has ended. Ask for the present one.",
	"must have 1 to %d characters",
	"This Idempotency-Key was used for another request in the last 24 hours. Use a new one for each operation.",
	"This link leads to no request. Use the link of the latest mail.",
	"This link has ended. Use the link of a newer mail.",
	"must be waiting, sent, failed or dropped",
	"must be waiting, sent, delivered, perhaps, failed or dropped",
	"This link opens nothing. Use the one of the latest text.", // on a page of its own
	"No code can be sent to this number now.", "This is not the code of the latest text, or it is older than ten minutes.",
	"The payment page can't be opened right now. Please try again in a minute.",
	"The body could not be read to its end.",
	"The body is no event of Stripe's.",
	"The header Stripe-Signature is missing or malformed.",
	"The signature is older than five minutes: check this server's clock.",
	"The signature does not fit: check that the signing secret is that of this webhook endpoint.",
	"Stripe's events are sent here by POST.",
	"The body is larger than 1 MiB.",
	"This link is for one booking only.",
	"must be some of %s",
	"This API key expired at %s. Use another one.",
	"This API key may not be used from the address %s.",
	"This API key is restricted and lacks the right %s.",
	"This API key is read-only. Use a key of scope full to change anything.",
	"No API key can do this. Do it in the dashboard, as a member whose role allows it.",
	"must be upcoming, past or all",
	"needs at least one resource: the ids of GET /api/v1/resources", // forms leave out a need without any
	"must be one of those that the contract lists",
	"must be the id of a member, such as us_…",
	"The access token is unknown, over or revoked. Use the refresh token, or have the member sign in again.",
	"a booking has at most %d entries",
	"the key %q must have 1 to 40 letters, digits, - and _",
	"must be 16 bytes in base64url",
	"Show your second factor first.", // pages lead to where that is done
	"must be the address that the browser gave, of at most 2000 characters",
	"must be a point of the curve P-256 in base64url",
	"%s is no rule that can be waived; these are: %s",
	"must be one or more of %s, joined by commas",
	"at most %d entries",
	"must be pending, delivered or failed",
	"must be the id of an event, such as nextCursor or the id of the last event seen",
	"There is no workspace \"%s\"; list them with: daybook workspace list",
	// Of API keys that make keys and members.
	"This key lacks the area %q, so it can't give it to another key. An owner can.",
	"A read-only key makes no keys.",
	"A restricted key makes no keys.",
	"This key has %d requests a minute, so it can't give another key more. An owner can.",
	"No API key makes or changes owners. Do it in the dashboard, as an owner.",
	"A manager may do more than this key, which lacks the area %q. An owner can do this in the dashboard.",
	"This API key lacks the area %q, which owners grant when they make a key.",
	"There is no key \"%s\"; list them with: daybook keys list",
	// said by its reason at the till
	"Nothing is due for this booking. What is given on top is a tip: send it as tip.",
	"Only %s is due for this booking. What is given on top is a tip: send it as tip.",
	// said by their reasons: see reasonKeys
	"One person may have at most %d bookings of %s that are still to come: cancel one, or wait until one is over.",
	"One person may book %s at most %d times a day: choose another day.",
	"One person may book %s at most %d times a week: choose another week.",
	"%s requires a consent that this customer hasn't given, or that isn't valid then: record it first, or set the rule aside.",
	"%s at a later time needs a check first: ask the business to move it.",
	// members book without an invitation link
	"This invitation link is not valid for this event type. Ask the business for a new one.",
	"This invitation link has expired. Ask the business for a new one.",
	"This invitation link has been used already. Ask the business for a new one.",
	"this invitation is for %s",
	"this invitation is for another address: book with the one that it was sent to",
	// Of customers' own pages, which say it in their words.
	"Your page isn't open on this device. Ask for a link.",
	"must be an e-mail address or a telephone number",
	"This link has been opened, replaced by a newer one, or is older than 15 minutes. Ask for a new one.",
	// Series: what their pages say in their own words, or never send.
	"%s can't be booked as a series: book one date",
	"at most %d dates of %s can be booked at once, and these are %d",
	"%d dates can't be booked, so that nothing was: see details.dates.",
	"%d dates can't move there, so that nothing did: see details.dates.",
	"One date can't be booked, so that nothing was: see details.dates.",
	"One date can't move there, so that nothing did: see details.dates.",
	"at most %d bookings, and these are %d",
	"at most %d dates: end it earlier",
	"give either count or until",
	"give either items or eventType, with host, addOns, seats and participants",
	"is for one date: leave it out, or give the scope this",
	"is for visits",
	"is for weeks",
	"leave it out: the dates give the starts",
	"must be a day such as 2027-03-31",
	"must be day, week or month",
	"must be refuse, skip or nearest",
	"must be the id of one of the bookings of this series",
	"must be the services of items",
	"must be this, following or all",
	"must lie behind the date before",
	"must lie on one of repeat.days",
	"must lie within %d years of the first",
	"must lie within %d years of the start",
	"must not leave out the start",
	"name at least one, or leave it out",
	"the last date must lie within %d years of the first",
}

// makers are the functions that make an error or a text of a format, and which argument that is.
var makers = map[string]int{"New": 2, "Invalid": 1, "Conflictf": 1, "Textf": 0, "Errorf": 0, "wrong": 1, "taken": 1, "above": 0,
	"refuse": 0, "leave": 3, "leaveBooking": 1, "note": 0, "looser": 0}

// formatsIn calls each with the formats of the errors that a file makes.
func formatsIn(f *ast.File, each func(format string, at token.Pos)) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch of := call.Fun.(type) {
		case *ast.SelectorExpr:
			if name = of.Sel.Name; ast.IsExported(name) {
				if of, ok := of.X.(*ast.Ident); !ok || of.Name != "fault" {
					return true
				}
			}
		case *ast.Ident:
			name = of.Name
		}
		if i, ok := makers[name]; ok && i < len(call.Args) {
			if format, ok := literal(call.Args[i]); ok {
				each(format, call.Args[i].Pos())
			}
		}
		return true
	})
}

// literal is a text in the source, in one piece or several.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, first := literal(e.X)
		y, second := literal(e.Y)
		return x + y, first && second
	}
	return "", false
}

// Every error that the dashboard can show is said in the languages that there are, and no sentence is left of one that
// is gone.
func TestEveryFaultHasASentence(t *testing.T) {
	root, files, seen := filepath.Join("..", ".."), token.NewFileSet(), map[string]bool{smtp.Form: true}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		part := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(notHere, part):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		formatsIn(f, func(format string, at token.Pos) {
			seen[format] = true
			if sentences[format] == nil && !slices.Contains(forPrograms, format) && format != "%s" && format != "%v" {
				t.Errorf("%s: no language has a sentence for %q. Add it to sentences, with a message in "+
					"views/messages/fault.*.json; if no page of the dashboard can show it, add it to forPrograms in this "+
					"test.", files.Position(at), format)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for format := range sentences {
		if !seen[format] {
			t.Errorf("nothing makes the error %q any more: take it out of sentences", format)
		}
	}
	for _, format := range forPrograms {
		if !seen[format] {
			t.Errorf("nothing makes the error %q any more: take it out of forPrograms", format)
		}
	}
}

// A sentence names no more arguments than its format has, and what an error says stands in its message.
func TestSentences(t *testing.T) {
	verb := regexp.MustCompile(`%[0-9]*[a-z]`)
	for _, s := range sentences {
		if n := len(verb.FindAllString(s.format, -1)); len(s.args) > n {
			t.Errorf("%q has %d arguments, and its sentence %q", s.format, n, s.args)
		}
	}
	german := &Call{Locale: views.MatchLocale("de", "")}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fault.Missing("booking", "bk_1"), "Hier gibt es nichts. Vielleicht wurde es gelöscht, oder der Link ist falsch."},
		{fault.Invalid("invitee.email", "is required"), "Geben Sie eine E-Mail-Adresse ein."},
		{fault.Invalid("notes", "must have at most %d characters", 500), "Bitte höchstens 500 Zeichen eingeben."},
		{fault.Invalid("weekly.mon[0]", "%v", fault.Errorf("%q is not a range of hours like 09:00-12:00, 22:00-02:00 or 00:00-24:00", "9-")),
			"Bitte geben Sie Beginn und Ende an."},
		{fault.New(fault.Conflict, "", "what another program says"), "What another program says."},
	} {
		if got := german.Sentence(fault.As(c.err)); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
	if got, whole := german.sentenceAt(fault.Invalid("location", "is required"), "Ort"); got != "Bitte füllen Sie „Ort“ aus." || !whole {
		t.Errorf("a field that is empty: %q, %v", got, whole)
	}
}
