package integrations

import (
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

const appPassword = "connect_hint_app_password"

var mailProviders = []mailProvider{
	{"gmail", "Gmail, Google Workspace", "smtp.gmail.com", "587", smtp.StartTLS, "", appPassword},
	{"microsoft", "Microsoft 365", "smtp.office365.com", "587", smtp.StartTLS, "",
		"connect_hint_microsoft"},
	{"icloud", "iCloud Mail", "smtp.mail.me.com", "587", smtp.StartTLS, "", appPassword},
	{"yahoo", "Yahoo", "smtp.mail.yahoo.com", "465", smtp.FullTLS, "", appPassword},
	{"gmx", "GMX", "mail.gmx.net", "587", smtp.StartTLS, "", "connect_hint_pop"},
	{"webde", "WEB.DE", "smtp.web.de", "587", smtp.StartTLS, "", "connect_hint_pop"},
	{"ionos", "IONOS", "smtp.ionos.com", "587", smtp.StartTLS, "", ""},
	{"strato", "STRATO", "smtp.strato.de", "465", smtp.FullTLS, "", ""},
	{"fastmail", "Fastmail", "smtp.fastmail.com", "465", smtp.FullTLS, "", appPassword},
	{"zoho", "Zoho Mail", "smtp.zoho.com", "465", smtp.FullTLS, "", "connect_hint_zoho"},
	{"brevo", "Brevo", "smtp-relay.brevo.com", "587", smtp.StartTLS, "",
		"connect_hint_brevo"},
	{"mailgun", "Mailgun", "smtp.mailgun.org", "587", smtp.StartTLS, "", "connect_hint_mailgun"},
	{"postmark", "Postmark", "smtp.postmarkapp.com", "587", smtp.StartTLS, "",
		"connect_hint_postmark"},
	{"sendgrid", "SendGrid", "smtp.sendgrid.net", "587", smtp.StartTLS, "apikey",
		"connect_hint_sendgrid"},
}

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
