package web

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app/dashboard/web/sentence"
	"daybook/app/fault"
	"daybook/views"
)

// notHere are the parts of app whose errors no page of the dashboard shows.
var notHere = []string{"access", "agent", "agentsetup", "apptest", "assistant", "calendar", "cli", "decide", "demo",
	"field", "form", "page", "rest", "rooms", "serve", "setup", "share", "upkeep", "vault", "payment/stripetest"}

// forPrograms are errors of fields and calls that no form of the dashboard has.
var forPrograms = []string{
	"nothing may leave from within a transaction", // a mistake in the program
	"If-Match is empty, so no version of the %s matches: send an ETag, or leave the header out.",
	// Of public keys, where they are used.
	"This is a public key: it works at /api/v1/public/… only, for open times and booking. Use a secret key, on a server, for everything else.",
	"Only public keys (pk_…) work here. Keep this key out of web pages; on a server, the same is at /api/v1/…",
	"Pages of %s may not use this key. Its owner lists the origins when it is made.",
	// Of lists, whose filters pages leave out.
	"must not be empty; leave it out to list all",
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
	"is connected by signing in there: see the dashboard, Integrations",
	"must be ics, caldav, google or microsoft",
	// Of set-up files.
	"%s is %s; to connect another kind of calendar give it another name",
	"a host has at most %d connections, and %d were made in the dashboard",
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
	// said by their reasons: see reasonKeys
	"One person may have at most %d bookings of %s that are still to come: cancel one, or wait until one is over.",
	"One person may book %s at most %d times a day: choose another day.",
	"One person may book %s at most %d times a week: choose another week.",
	// members book without an invitation link
	"This invitation link is not valid for this event type. Ask the business for a new one.",
	"This invitation link has expired. Ask the business for a new one.",
	"This invitation link has been used already. Ask the business for a new one.",
	"this invitation is for %s",
	"this invitation is for another address: book with the one that it was sent to",
}

// plainErrors are the leaves whose plain errors become the text of a fault.
var plainErrors = []string{"slot", "when", "address"}

// textOf is a string of the source as a format: each part that is no literal counts as %s.
func textOf(e ast.Expr, consts map[string]ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return textOf(e.X, consts) + textOf(e.Y, consts)
	case *ast.ParenExpr:
		return textOf(e.X, consts)
	case *ast.Ident:
		if value := consts[e.Name]; value != nil {
			return textOf(value, nil)
		}
	}
	return "%s"
}

// formatsIn are the texts of the errors that a file makes, with their lines.
func formatsIn(files *token.FileSet, f *ast.File, plain bool) map[string]token.Position {
	consts := map[string]ast.Expr{}
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
			for i, name := range v.Names {
				consts[name.Name] = v.Values[i]
			}
		}
		return true
	})
	all := map[string]token.Position{}
	add := func(e ast.Expr) { all[textOf(e, consts)] = files.Position(e.Pos()) }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := ""
			switch of := n.Fun.(type) {
			case *ast.SelectorExpr:
				name = of.Sel.Name
				if x, ok := of.X.(*ast.Ident); ok && (x.Name == "fmt" || x.Name == "errors") && !plain {
					return true
				}
			case *ast.Ident:
				name = of.Name
			}
			switch {
			case len(n.Args) > 1 && slices.Contains([]string{"Invalid", "Conflictf", "wrong", "leave", "taken"}, name):
				add(n.Args[1])
			case plain && len(n.Args) > 0 && slices.Contains([]string{"Errorf", "New", "refuse"}, name):
				add(n.Args[0])
			}
		case *ast.CompositeLit:
			typ := n.Type
			if of, ok := typ.(*ast.SelectorExpr); ok {
				typ = of.Sel
			}
			if name, ok := typ.(*ast.Ident); !ok || name.Name != "Error" {
				return true
			}
			for _, e := range n.Elts {
				if field, ok := e.(*ast.KeyValueExpr); ok {
					if name, ok := field.Key.(*ast.Ident); ok && name.Name == "Message" {
						add(field.Value)
					}
				}
			}
		}
		return true
	})
	return all
}

// Every error that the dashboard can show is said in the languages that there are.
func TestEveryFaultHasASentence(t *testing.T) {
	root, files, seen := filepath.Join("..", ".."), token.NewFileSet(), map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		part := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(notHere, part):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || part == "fault/fault.go":
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for text, at := range formatsIn(files, f, slices.Contains(plainErrors, strings.Split(part, "/")[0])) {
			text = strings.TrimPrefix(fieldPrefix.ReplaceAllString(text, ""), "%s: ")
			seen[text] = true
			known := slices.ContainsFunc(sentence.All, func(s sentence.Sentence) bool { return s.Format == text })
			if !known && !slices.Contains(forPrograms, text) && text != "%s" && text != "%v" {
				t.Errorf("app/%s:%d: no language has a sentence for %q. Add it to the table in app/dashboard/web/sentence, "+
					"with a message in views/messages/fault.*.json; if no page of the dashboard can show it, add it to "+
					"forPrograms in this test.", part, at.Line, text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sentence.All {
		if !seen[s.Format] && s.Format != missing {
			t.Errorf("nothing makes the error %q any more: take it out of the table", s.Format)
		}
	}
	for _, text := range forPrograms {
		if !seen[text] {
			t.Errorf("nothing makes the error %q any more: take it out of forPrograms", text)
		}
	}
}

// missing is the format of fault.Missing.
const missing = "There is no %s %q in this workspace."

// An error is found by its text, and its message gets what it says.
func TestSentences(t *testing.T) {
	for _, s := range sentence.All {
		args, want := []any{}, []any{}
		for i, m := range sentence.Verb.FindAllStringSubmatch(s.Format, -1) {
			switch {
			case m[1] != "":
				continue
			case m[2] == "d":
				args = append(args, 10+i)
			default:
				args = append(args, "word"+strconv.Itoa(i))
			}
			if i < len(s.Args) && s.Args[i] != "" {
				want = append(want, s.Args[i], fmt.Sprint(args[len(args)-1]))
			}
		}
		if key, got := sentence.Find(fmt.Sprintf(s.Format, args...)); key != s.Key || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q is found as %s%v, want %s%v", s.Format, key, got, s.Key, want)
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
		{fault.Invalid("weekly.mon[0]", "%v", errors.New(`"9-" is not a range of hours like 09:00-12:00, 22:00-02:00 or 00:00-24:00`)),
			"Bitte geben Sie Beginn und Ende an."},
		{&fault.Error{Code: fault.Conflict, Message: "what another program says"}, "What another program says."},
	} {
		if got := german.Sentence(fault.As(c.err)); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
	if got, whole := german.sentenceAt(fault.Invalid("location", "is required"), "Ort"); got != "Bitte füllen Sie „Ort“ aus." || !whole {
		t.Errorf("a field that is empty: %q, %v", got, whole)
	}
}
