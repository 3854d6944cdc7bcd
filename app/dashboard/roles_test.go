package dashboard

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/invitation"
	"daybook/app/mail"
	"daybook/app/oauth"
	"daybook/app/waitlist"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/store/enginetest"
	"daybook/views/dash"
)

// ids are the ids of one workspace that routes are walked with, by the part of the path that they stand behind.
type ids struct {
	booking, endpoint, delivery, key, kind, host, resource, contact, user, mail, payment, receipt, invitation, cancellation, imported, calendar, grant, entry, file, consent, health, waits, message, product, sale, pass string
}

func (i ids) in(pattern string) string {
	id := ""
	switch {
	case strings.Contains(pattern, "/till/payments/"):
		id = i.payment
	case strings.Contains(pattern, "/till/receipts/"):
		id = i.receipt
	case strings.Contains(pattern, "/bookings/"), strings.HasSuffix(pattern, "/calendars/{id}/leave"):
		id = i.booking
	case strings.Contains(pattern, "/calendars/"):
		id = i.calendar
	case strings.Contains(pattern, "/connections/"):
		id = i.grant
	case strings.Contains(pattern, "/webhooks/"):
		id = i.endpoint
	case strings.Contains(pattern, "/keys/"):
		id = i.key
	case strings.Contains(pattern, "/types/"):
		id = i.kind
	case strings.Contains(pattern, "/hosts/"):
		id = i.host
	case strings.Contains(pattern, "/resources/"):
		id = i.resource
	case strings.Contains(pattern, "/contacts/"):
		id = i.contact
	case strings.Contains(pattern, "/caught/"):
		id = "1" // mails are caught in a demo only
	case strings.Contains(pattern, "/passkeys/"):
		id = "1" // nobody has one here
	case strings.Contains(pattern, "/members/"):
		id = i.user
	case strings.Contains(pattern, "/photos/"):
		id = "pic_1p4s8yvz00n1b" // nothing is changed of one that isn't there
	case strings.Contains(pattern, "/mail/"):
		id = i.mail
	case strings.Contains(pattern, "/invitations/"):
		id = i.invitation
	case strings.Contains(pattern, "/messages/"):
		id = i.message
	case strings.Contains(pattern, "/waitlist/"):
		id = i.waits
	case strings.Contains(pattern, "/freed/"):
		id = "wj_1p4s8yvz00n1b" // nothing is changed of one that isn't there
	case strings.Contains(pattern, "/texts/again/"):
		id = "tx_1p4s8yvz00n1b" // none was sent
	case strings.Contains(pattern, "/calls/"):
		id = "tc_1p4s8yvz00n1b" // nobody is to be called here
	case strings.Contains(pattern, "/passes/"):
		id = i.pass
	case strings.Contains(pattern, "/sales/"):
		id = i.sale
	case strings.Contains(pattern, "/products/"):
		id = i.product
	case strings.Contains(pattern, "/imports/"):
		id = i.imported
	case strings.Contains(pattern, "/cancellations/"):
		id = i.cancellation
	}
	return strings.NewReplacer("{id}", id, "{delivery}", i.delivery, "{n}", "0", "{entry}", i.entry, "{file}", i.file,
		"{consent}", i.consent, "{health}", i.health).Replace(pattern)
}

func (w *world) ids() (i ids) {
	w.T.Helper()
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	pending, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "pending"})
	w.Must(err)
	people, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{}, nil, "")
	w.Must(err)
	users, err := w.Account.Members(w.T.Context(), w.Owner)
	w.Must(err)
	e, err := w.Webhook.CreateEndpoint(w.T.Context(), w.Owner, webhook.EndpointInput{URL: "https://example.com/hook", Events: []string{"*"}})
	w.Must(err)
	d, err := w.Webhook.TestEndpoint(w.T.Context(), w.Owner, e.ID.String())
	w.Must(err)
	_, err = w.Mail.WriteMails(w.T.Context(), 100)
	w.Must(err)
	mails, err := w.Mail.Mails(w.T.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	i = ids{booking: pending.Data[0].ID.String(), endpoint: e.ID.String(), delivery: d.ID.String(), key: w.salon.KeyID.String(), kind: setup.EventTypes[0].ID.String(),
		host: setup.Hosts[0].ID.String(), contact: people.Data[0].ID.String(), user: users[0].ID.String(), mail: "ml_0"}
	room, err := w.Shop.AddResource(w.T.Context(), w.Owner, catalog.Resource{Name: "Room"})
	w.Must(err)
	i.resource = room.ID.String()
	i.payment, i.receipt = w.paid(setup.Hosts[0].ID)
	l, err := w.Invitation.CreateInvitation(w.T.Context(), w.Owner, invitation.Input{EventType: i.kind, Host: i.host})
	w.Must(err)
	i.invitation, i.calendar = l.ID.String(), w.connectCalendar(0).ID.String()
	i.grant = w.allowed(users[0])
	i.cancellation = w.cancels(setup.Hosts[0].ID)
	imported, err := w.People.ImportContacts(w.T.Context(), w.Owner, contact.ImportInput{File: []byte("Name,E-mail\nIda,ida@mail.example\n")})
	w.Must(err)
	i.imported = imported.ID.String()
	entry, err := w.People.AddEntry(w.T.Context(), w.Owner, i.contact, contact.EntryInput{Kind: contact.FormulaEntry, Text: "6/0 + 6%"})
	w.Must(err)
	i.entry, i.file = entry.ID.String(), w.photographed(i.contact, contact.AfterPhoto).ID.String()
	i.consent, i.health = w.agreed(i.contact)
	waits, err := w.Waitlist.Join(w.T.Context(), w.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: i.kind, Host: i.host}},
		Wishes:  []waitlist.Wish{{From: "2027-01-04", To: "2027-01-08"}},
		Invitee: booking.Invitee{Name: "Wim Waits", Email: "wim@mail.example"}})
	w.Must(err)
	i.waits, i.message = waits.ID.String(), w.wrote(0, "+4915112345678", "Are you open?")
	product, err := w.Shop.ChangeProduct(w.T.Context(), w.Owner, "", func(_ *catalog.Setup, p *catalog.Product) error {
		p.Name, p.Price.Amount = "Shampoo", 1290
		return nil
	})
	w.Must(err)
	sale, err := w.Counter.Sell(w.T.Context(), w.Owner, counter.SaleInput{HostID: i.host,
		Lines: []counter.SaleLineInput{{Kind: counter.ProductLine, ProductID: product.ID.String()}}})
	w.Must(err)
	i.product, i.sale, i.pass = product.ID.String(), sale.ID.String(), w.voucher(5000)
	if len(mails.Data) > 0 {
		i.mail = mails.Data[0].ID.String()
	}
	return i
}

// agreed has a contact agree to health being kept, and have an allergy and an own field, and returns their ids.
func (w *world) agreed(to string) (consent, health string) {
	w.T.Helper()
	w.asksForConsents()
	c, err := w.People.RecordConsent(w.T.Context(), w.Owner, to, contact.ConsentInput{Kind: "health", Signer: "Mia"})
	w.Must(err)
	h, err := w.People.AddHealth(w.T.Context(), w.Owner, to, contact.HealthInput{Kind: contact.Allergy, Text: "PPD"})
	w.Must(err)
	_, err = w.Shop.SetContactFields(w.T.Context(), w.Owner, []catalog.ContactField{{Key: "dog", Label: "Dog", Type: catalog.TextField, OnForm: catalog.Asked}}, nil)
	w.Must(err)
	_, err = w.People.ChangeContact(w.T.Context(), w.Owner, to, func(c *booking.Contact) (booking.ContactInput, error) {
		return booking.ContactInput{Name: c.Name, Email: c.Email, Phone: c.Phone, Fields: map[string]any{"dog": "Rex"}}, nil
	})
	w.Must(err)
	return c.ID.String(), h.ID.String()
}

// allowed is the id of what the member allowed a program.
func (w *world) allowed(u app.User) string {
	w.T.Helper()
	const verifier, to = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "https://claude.ai/api/mcp/auth_callback"
	c, err := w.OAuth.Register(w.T.Context(), netip.MustParseAddr("127.0.0.1"), []byte(`{"client_name":"Claude","redirect_uris":["`+to+`"]}`))
	w.Must(err)
	ask := url.Values{"response_type": {"code"}, "client_id": {c.ClientID}, "code_challenge_method": {"S256"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}}
	address, err := w.OAuth.Consent(w.T.Context(), u.Actor(), ask, oauth.Consent{Allow: true})
	w.Must(err)
	at, err := url.Parse(address)
	w.Must(err)
	_, err = w.OAuth.Token(w.T.Context(), url.Values{"grant_type": {"authorization_code"}, "client_id": {c.ClientID},
		"code": {at.Query().Get("code")}, "code_verifier": {verifier}})
	w.Must(err)
	all, err := w.OAuth.Grants(w.T.Context(), u.Actor())
	w.Must(err)
	return all[0].ID.String()
}

// cancels orders a booking of the host to be cancelled.
func (w *world) cancels(host catalog.HostID) string {
	w.T.Helper()
	in := bulk.CancelInput{Form: "f", Scope: bulk.Scope{Host: host, From: when.At(w.Clock.Now().Add(when.Day))}}
	all, err := w.Bulk.Within(w.T.Context(), w.Owner, in.Scope, 1)
	w.Must(err)
	in.Listed = []bulk.SeenBooking{{ID: all[0].ID.String(), Version: bulk.Version(&all[0]), Chosen: true}}
	made, err := w.Bulk.CancelListed(w.T.Context(), w.Owner, in)
	w.Must(err)
	return made.ID.String()
}

// paid has a booking of the host paid at the counter, and returns the payment and its receipt.
func (w *world) paid(host catalog.HostID) (payment, receipt string) {
	w.T.Helper()
	page, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed", Host: host.String()})
	w.Must(err)
	for _, b := range page.Data {
		if b.Due == nil || b.Due.Amount == 0 {
			continue
		}
		b, err = w.Counter.Record(w.T.Context(), w.Owner, b.ID.String(), counter.Input{Amount: b.Due.Amount, Method: booking.ByCash})
		w.Must(err)
		return b.Payments[0].ID.String(), b.Payments[0].Receipt.String()
	}
	w.T.Fatal("no booking of the host is to be paid")
	return "", ""
}

// member makes a member of the salon with that role, signed in.
func (w *world) member(role app.Role, host catalog.HostID) *visitor {
	w.T.Helper()
	ws, err := w.WorkspaceBySlug(w.T.Context(), w.salon.Workspace)
	w.Must(err)
	email := string(role) + "-member@salon.example"
	_, err = w.Account.CreateUser(w.T.Context(), app.Operator(ws.ID), account.UserInput{Email: email, Role: role, Host: host, Password: "correct horse battery"})
	w.Must(err)
	return w.as(email, "correct horse battery")
}

// fingerprint is everything of the salon that a member could change, to see that nothing did.
func (w *world) fingerprint() string {
	w.T.Helper()
	var out strings.Builder
	for _, table := range []string{"workspaces", "hosts", "event_types", "contacts", "bookings", "booking_history", "api_keys", "users", "invitations", "webhook_endpoints", "deliveries", "mails", "mail_servers", "calendar_feeds", "payment_accounts", "payments", "payment_jobs", "cancellations", "cancellation_items", "imports", "import_contacts", "import_bookings", "contact_tags", "contact_entries", "contact_files", "contact_fields", "contact_consents", "contact_health", "products", "sales"} {
		out.WriteString(table + ":" + w.dump(table) + "\n")
	}
	return out.String()
}

func (w *world) dump(table string) string {
	w.T.Helper()
	db := enginetest.Raw(w.T, w.Store.Engine)
	rows, err := db.Query("SELECT * FROM " + table)
	w.Must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.Must(err)
	var out strings.Builder
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		w.Must(rows.Scan(into...))
		fmt.Fprintln(&out, values...)
	}
	return out.String()
}

// tables are all tables of the database.
func (w *world) tables() []string {
	w.T.Helper()
	return enginetest.Tables(w.T, enginetest.Raw(w.T, w.Store.Engine))
}

// mayUse reports whether the table of rights lets a member of that role use the route.
func mayUse(role app.Role, r web.Route) bool {
	return app.Actor{Kind: booking.ByOwner, User: 1, Role: role}.May(r.Needs) == nil
}

// Nobody, another workspace's owner, and staff get nothing of what is not theirs, and change nothing, on any route.
func TestEveryRouteIsRefused(t *testing.T) {
	w := newWorld(t)
	theirs := w.ids()
	other, err := w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "Europe/Paris"})
	w.Must(err)
	_, err = w.Account.CreateUser(t.Context(), app.Operator(other.ID), account.UserInput{Email: "owner@other.example", Role: app.OwnerRole, Password: "correct horse battery"})
	w.Must(err)
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	nobody, stranger := w.browser(), w.as("owner@other.example", "correct horse battery")
	staff, manager := w.member(app.StaffRole, setup.Hosts[2].ID), w.member(app.ManagerRole, 0)
	before := w.fingerprint()
	for _, r := range routes {
		if r.Open || r.Half {
			continue
		}
		method, path, _ := strings.Cut(r.Pattern, " ")
		path = theirs.in(path)
		ask := func(b *visitor) response {
			if method == http.MethodGet {
				return b.get(path)
			}
			return b.post(path, "confirm", "demo", "mode", "closed", "remove", "0", "title", "x", "name", "x", "host", theirs.host, "role", "owner", "email", "x@x.example")
		}
		t.Run(r.Pattern, func(t *testing.T) {
			if res := ask(nobody); res.status != http.StatusSeeOther || !strings.HasPrefix(res.location, "/login") {
				t.Errorf("nobody: %d %s", res.status, res.location)
			}
			for role, b := range map[app.Role]*visitor{app.StaffRole: staff, app.ManagerRole: manager} {
				if !mayUse(role, r) {
					if res := ask(b); res.status != http.StatusForbidden {
						t.Errorf("%s: %d %s", role, res.status, res.location)
					}
				}
			}
			if !strings.Contains(r.Pattern, "{") {
				return
			}
			if res := ask(stranger); res.status != http.StatusNotFound {
				t.Errorf("another workspace's owner: %d %s", res.status, res.location)
			}
			if mayUse(app.StaffRole, r) && !strings.Contains(r.Pattern, "/passes/") { // somebody else's calendar; passes are of the whole business
				if res := ask(staff); res.status != http.StatusNotFound {
					t.Errorf("staff: %d %s", res.status, res.location)
				}
			}
		})
	}
	if after := w.fingerprint(); after != before {
		t.Error("something was changed")
	}
}

// Staff see their own calendar, and nothing of others', on the pages that they may open.
func TestStaffSeeTheirOwn(t *testing.T) {
	w := newWorld(t)
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	own, others := setup.Hosts[0], setup.Hosts[2]
	b := w.member(app.StaffRole, own.ID)
	for _, path := range []string{"/dashboard", "/dashboard/bookings", "/dashboard/bookings?tab=past", "/dashboard/bookings/calendar", "/dashboard/bookings/calendar?span=day",
		"/dashboard/bookings/calendar?host=" + others.ID.String(), "/dashboard/hosts/" + own.ID.String()} {
		b.wants(b.get(path), 200, "!"+others.Name, "!Contacts</span>", "!/dashboard/settings")
	}
	b.wants(b.get("/dashboard/bookings"), 200, own.Name)
	b.wants(b.get("/dashboard/bookings?host="+others.ID.String()), 403, "!"+others.Name)
	b.wants(b.post("/dashboard/hosts/"+own.ID.String()+"/hours", "name", "Somebody Else", "timeZone", "Europe/Berlin", "mon.from", "10:00", "mon.to", "12:00"), 303)
	h, err := w.Shop.Host(w.Owner, own.ID.String())
	w.Must(err)
	if h.Name != own.Name || len(h.Weekly["mon"]) != 1 || len(h.Weekly["tue"]) != 0 {
		t.Errorf("%s %v", h.Name, h.Weekly)
	}
	// Staff book with themselves; a form that names somebody else is refused.
	b.wants(b.post("/dashboard/bookings/new", "type", "haircut", "host", others.ID.String(), "start", "2026-12-07T09:00:00Z", "name", "Ida", "email", "ida@mail.example"), 403)
	res := b.post("/dashboard/bookings/new", "type", "haircut", "start", "2026-12-07T09:00:00Z", "name", "Ida", "email", "ida@mail.example")
	if res.status != 303 {
		_, why, _ := strings.Cut(res.body, "notice-bad")
		t.Fatalf("%d %.900s", res.status, why)
	}
	id := strings.Split(strings.TrimPrefix(res.location, "/dashboard/bookings/"), "?")[0]
	booked, err := w.Booking(t.Context(), w.Owner, id)
	w.Must(err)
	if booked.Host.ID != own.ID {
		t.Errorf("booked with %s", booked.Host.Name)
	}
}

// Addresses of the dashboard are written in two places: what answers them in routes.go, what leads to them in
// views/dash/paths.go.
func TestAddressesAreTyped(t *testing.T) {
	literal := regexp.MustCompile(`["` + "`" + `](/dashboard|/login|/logout)\b`)
	looked := 0
	for _, pattern := range []string{"*.go", "*/*.go", "../../views/*.templ", "../../views/*.go", "../../views/dash/*.go", "../../views/dash/*.templ"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, path := range files {
			switch name := filepath.Base(path); {
			case strings.HasSuffix(name, "_test.go"), name == "routes.go", name == "door.go", name == "paths.go":
				continue
			}
			looked++
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(content), "\n") {
				if literal.MatchString(line) {
					t.Errorf("%s:%d writes an address: %s", path, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
	if looked < 50 {
		t.Errorf("only %d files were looked at", looked)
	}
}

// Every address of views/dash/paths.go is answered.
func TestEveryAddressHasARoute(t *testing.T) {
	const id = "x_1"
	for _, address := range []string{
		dash.LoginPath, dash.LogoutPath, dash.SetupPath(id), dash.InvitePath(id), dash.StartHoursPath, dash.StartServicePath, dash.StartDonePath,
		dash.TodayPath, dash.ThemePath, dash.AccountPath, dash.PasswordPath, dash.EverywherePath,
		dash.BookingsPath, dash.CalendarPath, dash.NewBookingPath, dash.BookingPath(id), dash.BookingMovePath(id), dash.BookingDoPath(id, "confirm"),
		dash.BookingDoPath(id, "decline"), dash.BookingDoPath(id, "cancel"), dash.BookingDoPath(id, "no-show"), dash.BookingDoPath(id, "arrived"), dash.BookingDoPath(id, "done"), dash.BookingDoPath(id, "undo"), dash.BookingDoPath(id, "coming"), dash.BookingDoPath(id, "not-coming"), dash.BookingDoPath(id, "ask-coming"), dash.BookingRefundPath(id, "price"),
		dash.TypesPath, dash.NewTypePath, dash.TypePath(id), dash.TypeMovePath(id), dash.TypeCategoryPath(id), dash.TypePricePath(id), dash.TypeSwitchPath(id), dash.TypeCopyPath(id),
		dash.HostsPath, dash.NewHostPath, dash.HostPath(id), dash.HostActivePath(id), dash.HostDatesPath(id), dash.HostDatePath(id, "2026-12-24"),
		dash.HostAwayPath(id), dash.HostAwayRemovePath(id), dash.HostWhyPath(id), dash.HostServicesPath(id), dash.HostHoursPath(id), dash.HostCalendarPath(id),
		dash.HostSignInPath(id), dash.HostSignInAgainPath(id), dash.HostSignInEndPath(id),
		dash.ProductsPath, dash.NewProductPath, dash.ProductPath(id), dash.ProductStockPath(id), dash.ProductActivePath(id), dash.ProductDeletePath(id),
		dash.AccountsPath, dash.BooksPath, dash.BooksDATEVPath, dash.BooksTablePath,
		dash.ResourcesPath, dash.NewResourcePath, dash.ResourcePath(id), dash.ResourceActivePath(id), dash.ResourceAwayPath(id), dash.ResourceAwayRemovePath(id),
		dash.ContactsPath, dash.NewContactPath, dash.ContactsImportPath, dash.ContactsExportPath, dash.ContactPath(id), dash.ContactEditPath(id),
		dash.ContactReplyPath(id), dash.MessagesPath, dash.MessageSeenPath(id), dash.MessageReplyPath(id), dash.ContactNotesPath(id), dash.ContactMergePath(id), dash.ContactDeletePath(id), dash.SameAgainPath(id), dash.CardEntriesPath(id), dash.CardPinPath(id, "y_1"), dash.CardEntryDeletePath(id, "y_1"),
		dash.CardFilesPath(id), dash.CardFilePath(id, "y_1"), dash.CardSmallPath(id, "y_1"), dash.CardFileDeletePath(id, "y_1"),
		dash.CardConsentsPath(id), dash.CardSignPath(id), dash.CardSignedPath(id), dash.CardConsentPath(id, "y_1"), dash.CardWithdrawPath(id, "y_1"),
		dash.CardHealthPath(id), dash.CardHealthDeletePath(id, "y_1"), dash.AnalyticsPath, dash.AnalyticsExportPath,
		dash.IntegrationsPath, dash.KeysPath, dash.NewKeyPath, dash.KeyRotatePath(id), dash.KeyRevokePath(id), dash.AgentsPath, dash.EmbedPath,
		dash.WebhooksPath, dash.NewWebhookPath, dash.WebhookPath(id), dash.WebhookTestPath(id), dash.WebhookOnPath(id), dash.WebhookOffPath(id),
		dash.WebhookRotatePath(id), dash.WebhookDeletePath(id), dash.DeliveryPath(id, "y_1"), dash.DeliveryAgainPath(id, "y_1"),
		dash.BringPath, dash.BringTakePath, dash.BringEndPath, dash.SettingsPath, dash.SettingsBrandPath, dash.PhotoUploadPath, dash.PhotoPath(id), dash.PhotoMovePath(id), dash.PhotoRemovePath(id), dash.MembersPath, dash.MemberPath(id), dash.MemberInvitePath(id), dash.MemberRemovePath(id),
		dash.DataPath, dash.ExportPath, dash.SetupFilePath, dash.DeletePath, dash.MailPath, dash.TextsPath, dash.TextsTestPath, dash.TextsRemovePath, dash.TextsRulesPath, dash.TextsSenderPath(id), dash.TextAgainPath(id), dash.MailTestPath, dash.MailAgainPath(id),
		dash.PaymentsPath, dash.DisconnectPath, dash.FeedsPath,
		dash.CalendarsPath, dash.NewCalendarsPath, dash.CalendarsUnknownPath, dash.CalendarsConnectionPath(id), dash.CalendarsReadPath(id), dash.CalendarsEndPath(id), dash.CalendarsLeavePath(id),
		dash.BookingPayPath(id), dash.BookingReceiptPath(id), dash.TillPath, dash.TillClosePath, dash.ReceiptsPath, dash.ReceiptPath(id), dash.GiveBackPath(id),
	} {
		path, _, _ := strings.Cut(address, "?")
		answered := slices.ContainsFunc(routes, func(r web.Route) bool {
			_, pattern, _ := strings.Cut(r.Pattern, " ")
			want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
			return slices.EqualFunc(want, got, func(part, given string) bool {
				return part == given || strings.HasPrefix(part, "{") && strings.HasSuffix(given, "_1")
			})
		})
		if !answered {
			t.Errorf("no route answers %s", address)
		}
	}
}
