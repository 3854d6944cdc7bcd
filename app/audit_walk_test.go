package app_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/mail"
	"daybook/app/mail/discovertest"
	"daybook/app/movein"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/setup"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/vault"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// auditedRights are those of which the log tells: settings, keys, members, endpoints, accounts elsewhere, exports and
// the deletion of contacts.
var auditedRights = []app.Command{app.MayManageWorkspace, app.MayManageKeys, app.MayManageMembers,
	app.MayManageEndpoints, app.MayManagePayments, app.MayManageMails, app.MayManageFeeds, app.MayConnectCalendars,
	app.MayManageContacts, app.MayExportAll, app.MayDeleteWorkspace, app.MayManagePrivacy, app.MayOperate}

// unaudited are the methods of these rights that leave no entry, by the reason why.
var unaudited = map[string][]string{
	"it reads, or tries something": {"Accounts", "Required", "Keys", "Members", "Member", "Payments", "Connection", "Mails", "Mail", "StuckMails",
		"MailServer", "Texts", "Text", "Sender", "SendTest", "Used", "WithSavedPassword", "FindServers", "SendCheck", "ConfirmServer", "CalendarConnections", "CalendarConnection", "CalendarClients", "CalendarWishes",
		"ReadCalendars", "CalendarClashes", "Workspaces", "ShowUser", "EndpointWorkspace", "TestEndpoint", "Payment", "State", "PreviewRule", "PreviewImport", "WriteLeft", "PreviewAppointments", "PreviewBusiness", "WriteLeftOut", "Alone",
		"Imports", "Import", "WithNumber", "NumberElsewhere", "WaitsOfPerson", "JobOf", "LookAt", "EndJob"},
	"a part of ExportAll, which leaves an entry": {"WriteContacts", "Document", "ExportReceipts", "ExportLedger", "ExportPasses",
		"ExportDayCloses", "ExportPictures", "ExportFiles", "ExportInvitations"},
	"it only begins": {"SignInURL"},
	"it begins MoveBusiness, which leaves an entry": {"MoveLooked"},
	"the day's work with one mail, text, delivery, copy or contact": {"ResendMail", "ResendText", "Reply", "SeeMessage", "Redeliver", "DropCalendarWish",
		"NewContact", "UpdateContact", "ChangeContact", "SetContactNotes", "TakeOver"},
}

// quagga is in all that a person or a business is known by, and in all that somebody writes.
const quagga = "Quagga"

const (
	quaggaEmail    = "quagga@quagga.example"
	quaggaPhone    = "+49307654321"
	quaggaAddress  = "203.0.113.77"
	quaggaPassword = "quagga quagga quagga"
	quaggaAgent    = "Mozilla/5.0 (X11; Linux x86_64; Quagga) Firefox/140.0"
)

// logWorld is a salon of whom everything has the mark.
type logWorld struct {
	*world
	stripe *stripetest.Server
}

func newLogWorld(t *testing.T) *logWorld {
	l := &logWorld{stripe: stripetest.New(t)}
	public := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("198.51.100.1")}, nil
	}
	source := func(calsync.Opening) calsync.Source { return quaggaCalendar{} }
	l.world = &world{apptest.New(t, apptest.Options{Name: quagga, Hosts: []string{quagga}, With: func(c *subjects.Config) {
		c.BaseURL, _ = url.Parse("https://quagga.example")
		c.Vault, _ = vault.NewVault(make([]byte, 32))
		allow := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}
		c.Webhook.Allow, c.Webhook.Resolve, c.Mail.Allow, c.Mail.Resolve = allow, public, allow, public
		c.Calendars.Allow = allow
		c.Calendars.Sources = map[calsync.Kind]calsync.Opener{calsync.CalDAV: source, calsync.Google: source}
		c.Calendars.Providers = map[calsync.Kind]calsync.Provider{calsync.Google: quaggaProvider{}}
		c.Calendars.Clients = map[calsync.Kind]calsync.Client{calsync.Google: {ID: quagga, Secret: quagga}}
	}})}
	l.Payment.SetProvider(stripe.New(l.stripe.URL))
	return l
}

type quaggaCalendar struct{}

func (quaggaCalendar) Calendars(context.Context) ([]calsync.Remote, error) {
	return []calsync.Remote{{ID: quagga, Name: quagga, Primary: true, Owner: quaggaEmail}}, nil
}

func (quaggaCalendar) Changes(context.Context, calsync.Asked) (calsync.Changes, error) {
	return calsync.Changes{}, nil
}

type quaggaProvider struct{}

func (quaggaProvider) SignInURL(_ calsync.Client, _, state, _ string) string {
	return "https://quagga.example/?state=" + state
}

func (quaggaProvider) Exchange(context.Context, *http.Client, calsync.Client, string, string, string) (
	calsync.Credentials, error) {
	return calsync.Credentials{Refresh: quagga}, nil
}

func (l *logWorld) member(role app.Role) app.User {
	l.T.Helper()
	in := account.UserInput{Email: quaggaEmail, Role: role, Password: quaggaPassword}
	if role != app.OwnerRole {
		in.Email, in.Host = "other."+quaggaEmail, 1
	}
	u, err := l.Account.CreateUser(l.T.Context(), l.Owner, in)
	l.Must(err)
	return u
}

func (l *logWorld) session() account.Session {
	l.T.Helper()
	l.member(app.OwnerRole)
	token, _, err := l.Account.SignIn(l.T.Context(), account.SignInInput{Email: quaggaEmail, Password: quaggaPassword,
		Address: quaggaAddress, Agent: quaggaAgent})
	l.Must(err)
	s, err := l.Account.SessionOf(l.T.Context(), token)
	l.Must(err)
	return s
}

func (l *logWorld) endpoint() webhook.NewEndpoint {
	l.T.Helper()
	e, err := l.Webhook.CreateEndpoint(l.T.Context(), l.Owner, webhook.EndpointInput{URL: "https://quagga.example/in",
		Events: []string{"*"}})
	l.Must(err)
	return e
}

func (l *logWorld) contact(email, phone string) booking.Contact {
	l.T.Helper()
	c, err := l.People.NewContact(l.T.Context(), l.Owner, booking.ContactInput{Name: quagga, Email: email, Phone: phone,
		Notes: quagga})
	l.Must(err)
	return c
}

func (l *logWorld) connect() (calsync.Connection, error) {
	return l.Calendars.ConnectCalendars(l.T.Context(), l.Owner, calsync.Input{Host: catalog.HostID(1).String(),
		Kind: calsync.CalDAV, Name: quagga, Address: "https://8.8.8.8/quagga", User: quagga, Password: quaggaPassword})
}

func (l *logWorld) connection() calsync.Connection {
	l.T.Helper()
	c, err := l.connect()
	l.Must(err)
	return c
}

func (l *logWorld) signedIn() error {
	session := []byte("session")
	at, err := l.Calendars.SignInURL(l.T.Context(), l.Owner, calsync.Google, catalog.HostID(1).String(), session)
	l.Must(err)
	_, state, _ := strings.Cut(at, "state=")
	_, err = l.Calendars.SignedIn(l.T.Context(), l.Owner, calsync.Google, session, state, "code")
	return err
}

func (l *logWorld) stripeKeys() error {
	_, err := l.Payment.ConnectPayments(l.T.Context(), l.Owner, payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	return err
}

func (l *logWorld) mailServer(text string) error {
	return l.Mail.SetMailServer(l.T.Context(), l.Owner, text)
}

const quaggaServer = "smtps://quagga:quagga@mail.quagga.example:465?from=quagga@quagga.example"

func (l *logWorld) invited() (app.User, string) {
	l.T.Helper()
	u, link, err := l.Account.Invite(l.T.Context(), l.Owner, account.MemberInput{Email: quaggaEmail, Role: app.OwnerRole})
	l.Must(err)
	_, token, _ := strings.Cut(link, "/invite/")
	return u, token
}

// audited are the changes of which the log tells. Each makes what it needs, and returns the change and its entries.
var audited = map[string]func(l *logWorld, ctx context.Context) (do func() error, want []audit.Action){
	"SuspendWorkspace": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Shop.SuspendWorkspace(ctx, app.Operator(l.Workspace.ID))
			return err
		}, []audit.Action{audit.WorkspaceSuspended}
	},
	"ResumeWorkspace": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		_, err := l.Shop.SuspendWorkspace(ctx, app.Operator(l.Workspace.ID))
		l.Must(err)
		return func() error {
			_, err := l.Shop.ResumeWorkspace(ctx, app.Operator(l.Workspace.ID))
			return err
		}, []audit.Action{audit.WorkspaceResumed}
	},
	"CreateWorkspace": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Shop.CreateWorkspace(ctx, app.Operator(0), catalog.WorkspaceInput{Slug: "quagga", Name: quagga,
				TimeZone: "Europe/Berlin"})
			return err
		}, []audit.Action{audit.WorkspaceCreated}
	},
	"ChangeAccounts": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Shop.ChangeAccounts(ctx, l.Owner, func(x *catalog.Accounts) error { x.Cash = "1600"; return nil })
			return err
		}, []audit.Action{audit.SettingsChanged}
	},
	"SetContactFields": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Shop.SetContactFields(ctx, l.Owner, []catalog.ContactField{{Key: "dog", Label: "Dog", Type: catalog.TextField}}, nil)
			return err
		}, []audit.Action{audit.SettingsChanged}
	},
	"SetConsents": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			return l.Shop.SetConsents(ctx, l.Owner, []catalog.ConsentKind{{Key: "quagga", Name: quagga, Wording: quagga}})
		}, []audit.Action{audit.SettingsChanged}
	},
	"UpdateWorkspace": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Shop.UpdateWorkspace(ctx, l.Owner, func(w *catalog.Workspace) {
				w.Name, w.Slug, w.Settings.Address = quagga+" 2", "quagga", quagga
			})
			return err
		}, []audit.Action{audit.SettingsChanged}
	},
	"DeleteWorkspace": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error { // within a transaction, which ends before rows are swept
			return l.Write(ctx, func(tx app.Tx) error {
				return l.In(tx).Shop.DeleteWorkspace(ctx, l.Owner, l.Workspace.Slug)
			})
		}, []audit.Action{audit.WorkspaceDeleted}
	},
	"ApplySetup": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		file, err := setup.Parse([]byte("workspace: {slug: salon, name: Quagga 3}\nhosts:\n" +
			"- {email: new@quagga.example, name: Quagga, timeZone: Europe/Berlin}\n"))
		l.Must(err)
		_, err = l.SetupFile.ApplySetup(ctx, app.Operator(0), file, true) // a dry run leaves none
		l.Must(err)
		return func() error {
			_, err := l.SetupFile.ApplySetup(ctx, app.Operator(0), file, false)
			return err
		}, []audit.Action{audit.SetupApplied}
	},
	"ExportSetup": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.SetupFile.ExportSetup(ctx, l.Owner)
			return err
		}, []audit.Action{audit.SetupExported}
	},
	"ExportAll": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.contact(quaggaEmail, quaggaPhone)
		return l.export(func(to io.Writer) error {
			if err := l.Report.ExportAll(ctx, l.Owner, true, to); err != nil {
				return err
			}
			return l.Report.ExportAll(ctx, l.Owner, false, io.Discard)
		}), []audit.Action{audit.HealthExported, audit.EverythingExported}
	},
	"ExportContacts": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.contact(quaggaEmail, quaggaPhone)
		return l.export(func(to io.Writer) error { return l.People.ExportContacts(ctx, l.Owner, to) }),
			[]audit.Action{audit.ContactsExported}
	},
	"CreateKey": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Account.CreateKey(ctx, l.Owner, account.KeyInput{Name: quagga, Scope: account.FullScope})
			return err
		}, []audit.Action{audit.KeyCreated}
	},
	"RotateKey": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		k := l.Key(account.FullScope)
		return func() error {
			_, err := l.Account.RotateKey(ctx, l.Owner, k.ID.String(), time.Hour)
			return err
		}, []audit.Action{audit.KeyRotated}
	},
	"RevokeKey": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		k := l.Key(account.FullScope)
		return func() error {
			_, err := l.Account.RevokeKey(ctx, l.Owner, k.ID.String())
			return err
		}, []audit.Action{audit.KeyRevoked}
	},
	"CreateUser": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Account.CreateUser(ctx, l.Owner, account.UserInput{Email: quaggaEmail, Role: app.OwnerRole,
				Password: quaggaPassword})
			return err
		}, []audit.Action{audit.MemberCreated}
	},
	"SetPassword": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.member(app.OwnerRole)
		return func() error {
			_, err := l.Account.SetPassword(ctx, app.Operator(0), quaggaEmail, quaggaPassword+"2")
			return err
		}, []audit.Action{audit.PasswordChanged}
	},
	"Invite": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, _, err := l.Account.Invite(ctx, l.Owner, account.MemberInput{Email: quaggaEmail, Role: app.ManagerRole})
			return err
		}, []audit.Action{audit.MemberInvited}
	},
	"InviteHost": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Shop.InviteHost(ctx, l.Owner, account.MemberInput{Email: quaggaEmail, Role: app.StaffRole, Host: 1})
			return err
		}, []audit.Action{audit.MemberInvited}
	},
	"InviteAgain": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		u, _ := l.invited()
		return func() error {
			_, _, err := l.Account.InviteAgain(ctx, l.Owner, u.ID.String(), false)
			return err
		}, []audit.Action{audit.MemberInvitedAgain}
	},
	"ChangeMember": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		u := l.member(app.ManagerRole)
		_, err := l.Account.ChangeMember(ctx, l.Owner, u.ID.String(), account.MemberInput{Role: u.Role, Host: u.HostID})
		l.Must(err)
		return func() error {
			_, err := l.Account.ChangeMember(ctx, l.Owner, u.ID.String(), account.MemberInput{Role: app.StaffRole, Host: 1})
			return err
		}, []audit.Action{audit.MemberChanged}
	},
	"RemoveMember": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		u := l.member(app.ManagerRole)
		return func() error {
			_, err := l.Account.RemoveMember(ctx, l.Owner, u.ID.String())
			return err
		}, []audit.Action{audit.MemberRemoved}
	},
	"SignIn": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.member(app.OwnerRole)
		return func() error {
			_, _, err := l.Account.SignIn(ctx, account.SignInInput{Email: quaggaEmail, Password: quaggaPassword,
				Address: quaggaAddress, Agent: quaggaAgent})
			return err
		}, []audit.Action{audit.SignedIn}
	},
	"TakeInvitation": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		_, token := l.invited()
		return func() error {
			_, _, err := l.Account.TakeInvitation(ctx, token, quaggaPassword, quaggaAgent)
			return err
		}, []audit.Action{audit.PasswordChanged, audit.SignedIn}
	},
	"TakeSetupLink": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		link, err := l.Account.NewSetupLink(ctx)
		l.Must(err)
		_, token, _ := strings.Cut(link, "/setup/")
		return func() error {
			_, _, err := l.Account.TakeSetupLink(ctx, token, account.FirstInput{Email: quaggaEmail,
				Password: quaggaPassword, Agent: quaggaAgent})
			return err
		}, []audit.Action{audit.MemberCreated, audit.SignedIn}
	},
	"SignOut": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		s := l.session()
		return func() error { return l.Account.SignOut(ctx, s, true) }, []audit.Action{audit.SessionsEnded}
	},
	"ChangePassword": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		s := l.session()
		return func() error { return l.Account.ChangePassword(ctx, s, quaggaPassword, quaggaPassword+"2") },
			[]audit.Action{audit.PasswordChanged}
	},
	"CreateEndpoint": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.Webhook.CreateEndpoint(ctx, l.Owner, webhook.EndpointInput{URL: "https://quagga.example/in",
				Events: []string{"*"}})
			return err
		}, []audit.Action{audit.EndpointCreated}
	},
	"RotateSecret": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		e := l.endpoint()
		return func() error {
			_, err := l.Webhook.RotateSecret(ctx, l.Owner, e.ID.String(), time.Hour)
			return err
		}, []audit.Action{audit.SecretRotated}
	},
	"ChangeEndpoint": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		e, off := l.endpoint(), false
		in := webhook.EndpointPatch{Events: &[]string{"booking.created"}, Enabled: &off}
		return func() error {
			for range 2 { // the second time nothing differs
				if _, err := l.Webhook.ChangeEndpoint(ctx, l.Owner, e.ID.String(), in,
					func(*webhook.Endpoint) error { return nil }); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.EndpointChanged, audit.EndpointDisabled}
	},
	"EditMember": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		u := l.member(app.ManagerRole)
		return func() error {
			_, err := l.Account.EditMember(ctx, l.Owner, u.ID.String(), func(u account.Membership) (account.MemberInput, error) {
				return account.MemberInput{Role: app.StaffRole, Host: 1}, nil
			})
			return err
		}, []audit.Action{audit.MemberChanged}
	},
	"DisableEndpoint": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		e := l.endpoint()
		_, err := l.Webhook.EnableEndpoint(ctx, l.Owner, e.ID.String()) // it is enabled
		l.Must(err)
		return func() error {
			_, err := l.Webhook.DisableEndpoint(ctx, l.Owner, e.ID.String())
			return err
		}, []audit.Action{audit.EndpointDisabled}
	},
	"EnableEndpoint": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		e := l.endpoint()
		_, err := l.Webhook.DisableEndpoint(ctx, l.Owner, e.ID.String())
		l.Must(err)
		return func() error {
			_, err := l.Webhook.EnableEndpoint(ctx, l.Owner, e.ID.String())
			return err
		}, []audit.Action{audit.EndpointEnabled}
	},
	"DeleteEndpoint": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		e := l.endpoint()
		return func() error { return l.Webhook.DeleteEndpoint(ctx, l.Owner, e.ID.String()) },
			[]audit.Action{audit.EndpointDeleted}
	},
	"ConnectPayments": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return l.stripeKeys, []audit.Action{audit.PaymentsConnected}
	},
	"DisconnectPayments": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Must(l.stripeKeys())
		return func() error { return l.Payment.DisconnectPayments(ctx, l.Owner) },
			[]audit.Action{audit.PaymentsDisconnected}
	},
	"SetMailServer": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Must(l.mailServer("")) // there is none
		return func() error { return l.mailServer(quaggaServer) }, []audit.Action{audit.MailServerSet}
	},
	"SetMailServer, removed": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Must(l.mailServer(quaggaServer))
		return func() error { return l.mailServer("") }, []audit.Action{audit.MailServerRemoved}
	},
	"SetSender": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error { return l.sender().SetSender(ctx, l.Owner, quaggaSender()) }, []audit.Action{audit.TextSenderSet}
	},
	"SetSender, removed": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Must(l.sender().SetSender(ctx, l.Owner, quaggaSender()))
		return func() error { return l.sender().SetSender(ctx, l.Owner, nil) }, []audit.Action{audit.TextSenderRemoved}
	},
	"NewRoute": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		x := quaggaSender()
		x.Preset, x.Own = sms.Own, &sms.Template{Method: "POST", URL: "{url}", Type: sms.Form, Body: "to={to}&text={text}", Posts: sms.Form,
			Inbound: &sms.Inbound{When: sms.When{Path: "from"}, From: "from", Text: "text"}, Verify: sms.Verify{Kind: sms.RouteProof}}
		l.Must(l.sender().SetSender(ctx, l.Owner, x))
		return func() error { _, err := l.sender().NewRoute(ctx, l.Owner); return err }, []audit.Action{audit.TextRouteMade}
	},
	"ConnectServer": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		ca := discovertest.NewCA(l.T)
		k := discovertest.NewSMTP(l.T, ca.Server("mail.quagga.example"), quaggaEmail, quaggaPassword)
		set := l.Subjects(func(c *subjects.Config) {
			c.Mail.DNS = discovertest.DNS(l.T, discovertest.Zone{"mail.quagga.example.": {discovertest.Loopback()},
				"_submissions._tcp.quagga.example.": {discovertest.SRV(uint16(k.Port), "mail.quagga.example.")}})
			c.Mail.Trust, c.Mail.Web, c.Mail.Ports = ca.Trust(), ca.Web(http.NotFound), []uint16{uint16(k.Port)}
		})
		return func() error {
			_, _, err := set.Mail.ConnectServer(ctx, l.Owner, mail.ConnectInput{Address: quaggaEmail, To: quaggaEmail,
				Server: fmt.Sprintf("mail.quagga.example:%d", k.Port), Password: quaggaPassword, Name: quagga})
			return err
		}, []audit.Action{audit.MailServerSet}
	},
	"FeedURL": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			for range 2 { // the second time it is the same
				if _, err := l.Feed.FeedURL(ctx, l.Owner, "", false); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.FeedCreated}
	},
	"RevokeFeed": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		_, err := l.Feed.FeedURL(ctx, l.Owner, "", false)
		l.Must(err)
		return func() error {
			for range 2 {
				if err := l.Feed.RevokeFeed(ctx, l.Owner, ""); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.FeedRevoked}
	},
	"ConnectCalendars": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			_, err := l.connect()
			return err
		}, []audit.Action{audit.CalendarConnected}
	},
	"SignedIn": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return l.signedIn, []audit.Action{audit.CalendarConnected}
	},
	"SignedIn, again": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Must(l.signedIn())
		return l.signedIn, []audit.Action{audit.CalendarRenewed}
	},
	"ChooseCalendars": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		c := l.connection()
		choose := func(in calsync.Choice) error {
			return l.Calendars.ChooseCalendars(ctx, l.Owner, c.ID.String(),
				map[calsync.CalendarID]calsync.Choice{c.Calendars[0].ID: in})
		}
		l.Must(choose(calsync.Choice{Blocks: true})) // as it is
		return func() error { return choose(calsync.Choice{Target: true}) }, []audit.Action{audit.CalendarsChosen}
	},
	"DisconnectCalendars": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		c := l.connection()
		return func() error {
			_, err := l.Calendars.DisconnectCalendars(ctx, l.Owner, c.ID.String(), false)
			return err
		}, []audit.Action{audit.CalendarDisconnected}
	},
	"Require": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			for range 2 { // the second time changes nothing
				if err := l.Factor.Require(ctx, l.Owner, []app.Role{app.StaffRole}); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.FactorRequired}
	},
	"ResetFactors": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.member(app.OwnerRole)
		return func() error {
			_, err := l.Factor.ResetFactors(ctx, app.Operator(0), quaggaEmail)
			return err
		}, []audit.Action{audit.FactorsReset}
	},
	"SetCalendarClient": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			return l.Calendars.SetCalendarClient(ctx, l.Owner, calsync.Client{Kind: calsync.Google, ID: quagga, Secret: quagga})
		}, []audit.Action{audit.CalendarClientSet}
	},
	"RemoveCalendarClient": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Must(l.Calendars.RemoveCalendarClient(ctx, l.Owner, calsync.Google)) // there is none
		l.Must(l.Calendars.SetCalendarClient(ctx, l.Owner, calsync.Client{Kind: calsync.Google, ID: quagga, Secret: quagga}))
		return func() error { return l.Calendars.RemoveCalendarClient(ctx, l.Owner, calsync.Google) },
			[]audit.Action{audit.CalendarClientRemoved}
	},
	"ImportContacts": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			for range 2 { // the second time they are the same
				_, err := l.People.ImportContacts(ctx, l.Owner, contact.ImportInput{File: []byte("name,email\nQuagga,quagga@quagga.example\n")})
				if err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.ContactsImported}
	},
	"ImportAppointments": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		l.Offer("moved", 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
		return func() error {
			for range 2 { // the second time they are the same
				_, err := l.MoveIn.ImportAppointments(ctx, l.Owner, movein.Input{File: []byte(
					"Date,Time,Duration,Service,Staff,Name,Email\n2026-12-24,10:00,30,moved,ana,Quagga,quagga@quagga.example\n"),
					People: map[string]string{"ana": catalog.HostID(1).String()}})
				if err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.BookingsImported}
	},
	"MoveBusiness": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			for range 2 { // the second time they are the same
				_, err := l.MoveIn.MoveBusiness(ctx, l.Owner, movein.Business{Source: "calcom",
					Customers: []booking.ContactInput{{Name: "Quagga", Email: "quagga@quagga.example"}}})
				if err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.ContactsImported}
	},
	"UndoImport": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		res, err := l.People.ImportContacts(ctx, l.Owner, contact.ImportInput{File: []byte("name,email\nQuagga,quagga@quagga.example\n")})
		l.Must(err)
		return func() error {
			for range 2 { // the second time nothing is left to undo
				if _, err := l.People.UndoImport(ctx, l.Owner, res.ID.String()); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.ImportUndone}
	},
	"MergeContacts": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		from, into := l.contact(quaggaEmail, ""), l.contact("", quaggaPhone)
		return func() error {
			_, err := l.People.MergeContacts(ctx, l.Owner, from.ID.String(), into.ID.String())
			return err
		}, []audit.Action{audit.ContactsMerged}
	},
	"DeleteEntry": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		c := l.contact(quaggaEmail, quaggaPhone)
		e, err := l.People.AddEntry(ctx, l.Owner, c.ID.String(), contact.EntryInput{Kind: contact.NoteEntry, Text: quagga})
		l.Must(err)
		return func() error { return l.People.DeleteEntry(ctx, l.Owner, c.ID.String(), e.ID.String()) },
			[]audit.Action{audit.EntryDeleted}
	},
	"DeleteHealth": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		of, _ := l.agreed(ctx)
		h, err := l.People.AddHealth(ctx, l.Owner, of, contact.HealthInput{Kind: contact.Allergy, Text: quagga})
		l.Must(err)
		return func() error { return l.People.DeleteHealth(ctx, l.Owner, of, h.ID.String()) }, []audit.Action{audit.HealthDeleted}
	},
	"WithdrawConsent": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		of, consent := l.agreed(ctx)
		return func() error {
			for range 2 { // the second time it is withdrawn already
				if _, err := l.People.WithdrawConsent(ctx, l.Owner, of, consent); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.ConsentWithdrawn}
	},
	"ExportPerson": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		c := l.contact(quaggaEmail, quaggaPhone)
		return l.export(func(to io.Writer) error { return l.Privacy.ExportPerson(ctx, l.Owner, c.ID.String(), to) }),
			[]audit.Action{audit.PersonExported}
	},
	"ChooseRule": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		return func() error {
			for range 2 { // the second time it is the same
				if err := l.Privacy.ChooseRule(ctx, l.Owner, &catalog.RetentionRule{Months: 12}); err != nil {
					return err
				}
			}
			return nil
		}, []audit.Action{audit.SettingsChanged}
	},
	"DeleteContact": func(l *logWorld, ctx context.Context) (func() error, []audit.Action) {
		c := l.contact(quaggaEmail, quaggaPhone)
		return func() error { return l.People.DeleteContact(ctx, l.Owner, c.ID.String()) },
			[]audit.Action{audit.ContactDeleted}
	},
}

// agreed returns a contact who has consented to their health being kept, and that consent.
func (l *logWorld) agreed(ctx context.Context) (of, consent string) {
	l.T.Helper()
	_, err := l.Shop.UpdateWorkspace(ctx, l.Owner, func(w *catalog.Workspace) {
		w.Settings.Consents = []catalog.ConsentKind{{Key: "health", Name: quagga, Wording: quagga, Health: true}}
	})
	l.Must(err)
	of = l.contact(quaggaEmail, quaggaPhone).ID.String()
	c, err := l.People.RecordConsent(ctx, l.Owner, of, contact.ConsentInput{Kind: "health", Signer: quagga})
	l.Must(err)
	return of, c.ID.String()
}

// export runs an export, which must have written nothing when it fails.
func (l *logWorld) export(do func(io.Writer) error) func() error {
	return func() error {
		var b bytes.Buffer
		err := do(&b)
		if err != nil && b.Len() > 0 {
			l.T.Errorf("%d bytes came before the entry", b.Len())
		}
		return err
	}
}

// Every method of those rights leaves entries, or unaudited says why not.
func TestAuditLogKnowsEveryMethod(t *testing.T) {
	known := map[string]bool{}
	for name := range audited {
		name, _, _ = strings.Cut(name, ",")
		known[name] = true
	}
	for _, names := range unaudited {
		for _, name := range names {
			if known[name] {
				t.Errorf("%s is on both lists", name)
			}
			known[name] = true
			if _, there := commands[name]; !there {
				t.Errorf("unaudited names %s, which is no method with an Actor", name)
			}
		}
	}
	for name, right := range commands {
		if slices.Contains(auditedRights, right) && !known[name] {
			t.Errorf("%s may %q: say in audited which entry it leaves, or in unaudited why none", name, right)
		}
	}
}

// Every change leaves its entries, and no other; none of them holds anything of a person. Without its entry there is
// no change.
func TestEveryChangeIsLogged(t *testing.T) {
	for name, scenario := range audited {
		t.Run(name, func(t *testing.T) {
			l := newLogWorld(t)
			do, want := scenario(l, t.Context())
			raw := enginetest.Raw(t, l.Store.Engine)
			but := []string{"attempts", "calendar_sign_ins", "audit_log"} // counts of attempts, and the log
			if strings.HasPrefix(name, "SignedIn") {
				but = append(but, "hosts") // which it locks
			}
			log, before := logged(t, raw), enginetest.Dump(t, raw, but...)
			enginetest.Break(t, raw, "audit_log", "INSERT", "")
			if err := do(); err == nil {
				t.Error("it was done without an entry")
			}
			enginetest.Mend(t, raw, "audit_log")
			if changed := enginetest.Differences(before, enginetest.Dump(t, raw, but...)); len(want) == 1 && changed != "" {
				t.Errorf("it failed and changed\n%s", changed)
			}
			if name == "TakeInvitation" || name == "TakeSetupLink" { // used up by the failure of the second entry at most
				do, want = scenario(newLogWorldOf(t, l), t.Context())
				raw = enginetest.Raw(t, l.Store.Engine)
				log = logged(t, raw)
			}
			l.Must(do())
			added := strings.TrimPrefix(logged(t, raw), log)
			var got []audit.Action
			for line := range strings.Lines(added) {
				for _, a := range audit.Actions {
					if strings.Contains(line, strconv.Quote(string(a))) {
						got = append(got, a)
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("the log has %v, want %v:\n%s", got, want, added)
			}
			for _, mark := range []string{quagga, "7654321", quaggaAddress, "8.8.8.8", stripetest.Key} {
				if all := logged(t, raw); strings.Contains(strings.ToLower(all), strings.ToLower(mark)) {
					t.Errorf("the log has %s:\n%s", mark, all)
				}
			}
		})
	}
}

func newLogWorldOf(t *testing.T, into *logWorld) *logWorld {
	*into = *newLogWorld(t)
	return into
}

// logged is the log as text, the oldest entry first: their ids rise.
func logged(t *testing.T, raw *sql.DB) string {
	t.Helper()
	return strings.Join(append(enginetest.Rows(t, raw, "audit_log"), ""), "\n")
}

// What is refused leaves no entry.
func TestRefusalsAreNotLogged(t *testing.T) {
	l := newLogWorld(t)
	l.member(app.OwnerRole)
	raw := enginetest.Raw(t, l.Store.Engine)
	before := logged(t, raw)
	set := reflect.ValueOf(l.Set).Elem()
	refused := 0
	for i := range set.NumField() {
		room := set.Field(i)
		for j := range room.NumMethod() {
			name, do := room.Type().Method(j).Name, room.Method(j)
			right, known := commands[name]
			at := actorArgument(do.Type())
			if at < 0 || !known || !slices.Contains(auditedRights, right) {
				continue
			}
			for _, a := range []app.Actor{{Kind: booking.ByOwner, User: 3, Role: app.StaffRole, Host: 1},
				{Kind: booking.ByOwner, User: 2, Role: app.ManagerRole}, {Kind: booking.ByAPI, Key: 2, ReadOnly: true},
				{Kind: booking.ByInvitee, Booking: 1}, {}} {
				a.Workspace = l.Workspace.ID
				if a.May(right) == nil {
					continue
				}
				if err := callAs(t, do, at, a); err == nil {
					t.Errorf("%s was done", name)
				}
				refused++
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d refusals", refused)
	}
	_, _, err := l.Account.SignIn(t.Context(), account.SignInInput{Email: "nobody@quagga.example", Password: quaggaPassword,
		Address: quaggaAddress, Agent: quaggaAgent})
	if err == nil {
		t.Error("nobody has signed in")
	}
	if after := logged(t, raw); after != before {
		t.Errorf("%s\n%s", before, after)
	}
}

// However often somebody tries, an hour has one entry of failed sign-ins of a member.
func TestFailedSignInsAreBounded(t *testing.T) {
	l := newLogWorld(t)
	session := l.session()
	count := func(a audit.Action) (n int) {
		return strings.Count(logged(t, enginetest.Raw(t, l.Store.Engine)), strconv.Quote(string(a)))
	}
	try := func(password string) {
		for i := range 8 {
			_, _, err := l.Account.SignIn(t.Context(), account.SignInInput{Email: quaggaEmail, Password: password,
				Address: fmt.Sprint("203.0.113.", i), Agent: quaggaAgent})
			if err == nil {
				t.Fatal("signed in")
			}
		}
		if l.Account.ChangePassword(t.Context(), session, password, quaggaPassword+"2") == nil {
			t.Fatal("changed")
		}
	}
	for i, want := range []int{1, 1, 1, 1, 2, 2} { // a quarter of an hour each
		try(fmt.Sprint(quagga, i))
		l.Must(l.Upkeep.Tend(t.Context()))
		if failed, refused := count(audit.SignInFailed), count(audit.PasswordRefused); failed != want || refused != want {
			t.Errorf("after %d quarters: %d failed, %d refused, want %d", i+1, failed, refused, want)
		}
		l.Clock.Advance(15*time.Minute + time.Second)
	}
	if all := logged(t, enginetest.Raw(t, l.Store.Engine)); strings.Contains(strings.ToLower(all), "quagga") ||
		strings.Contains(all, "203.0.113") {
		t.Error(all)
	}
}

// sender is the subject of texts, whose senders may be on this machine.
func (l *logWorld) sender() *text.Service {
	return l.Subjects(func(c *subjects.Config) { c.Text.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }).Text
}

func quaggaSender() *sms.Sender {
	return &sms.Sender{Preset: sms.Android, URL: "http://127.0.0.1:8080", User: "quagga", Secret: quaggaPassword, SigningKey: quaggaPassword}
}
