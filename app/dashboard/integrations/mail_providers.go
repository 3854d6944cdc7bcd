package integrations

import (
	"cmp"
	"slices"

	"daybook/app/mail/discover"
	"daybook/app/mail/smtp"
	"daybook/views/dash"
)

// mailProvider is where a well-known provider accepts mails from programs, according to its help pages.
type mailProvider struct {
	key, name, host, port string
	tls                   smtp.TLS
	user                  string // what its user name is, if it is not the address
	hint                  string // the key of a message, or ""
}

// relays send the mails of other addresses than their own.
var relays = []mailProvider{
	{"brevo", "Brevo", "smtp-relay.brevo.com", "587", smtp.StartTLS, "", "connect_hint_brevo"},
	{"mailgun", "Mailgun", "smtp.mailgun.org", "587", smtp.StartTLS, "", "connect_hint_mailgun"},
	{"postmark", "Postmark", "smtp.postmarkapp.com", "587", smtp.StartTLS, "", "connect_hint_postmark"},
	{"sendgrid", "SendGrid", "smtp.sendgrid.net", "587", smtp.StartTLS, "apikey", "connect_hint_sendgrid"},
}

// passwordHints are the keys of the messages about the password that a provider takes.
var passwordHints = map[discover.Passwords]string{
	discover.AppPassword: "connect_hint_app_password", discover.Switched: "connect_hint_pop",
}

// ownHints are those of single providers, by their keys.
var ownHints = map[string]string{"microsoft": "connect_hint_microsoft", "zoho": "connect_hint_zoho"}

// mailProviders are those whose mailboxes are known, each once, and relays.
var mailProviders = func() (all []mailProvider) {
	for i := range discover.Providers {
		p := &discover.Providers[i]
		hint := cmp.Or(ownHints[p.Key], passwordHints[p.Passwords])
		if slices.ContainsFunc(all, func(o mailProvider) bool { return o.key == p.Key }) || p.Passwords == discover.NoPassword && hint == "" {
			continue
		}
		known := mailProvider{key: p.Key, name: p.Name, host: p.Host, port: "465", tls: smtp.FullTLS, hint: hint}
		if p.Ports == discover.Only587 {
			known.port, known.tls = "587", smtp.StartTLS
		}
		all = append(all, known)
	}
	return append(all, relays...)
}()

func findMailProvider(key string) *mailProvider {
	for i := range mailProviders {
		if mailProviders[i].key == key {
			return &mailProviders[i]
		}
	}
	return nil
}

// presets returns the providers; choosing one fills in the form.
func (c call) presets() (all []dash.Option) {
	all = append(all, dash.Option{Label: c.T("connect_mail_other")})
	for _, p := range mailProviders {
		all = append(all, dash.Option{Value: p.key, Label: p.name})
	}
	return all
}
