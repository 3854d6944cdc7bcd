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
	hint                  string
}

const appPassword = "It wants an app password, which you make in its account settings, not the one you sign in with."

var mailProviders = []mailProvider{
	{"gmail", "Gmail, Google Workspace", "smtp.gmail.com", "587", smtp.StartTLS, "", appPassword},
	{"microsoft", "Microsoft 365", "smtp.office365.com", "587", smtp.StartTLS, "",
		"An administrator must allow authenticated SMTP for the mailbox."},
	{"icloud", "iCloud Mail", "smtp.mail.me.com", "587", smtp.StartTLS, "", appPassword},
	{"yahoo", "Yahoo", "smtp.mail.yahoo.com", "465", smtp.FullTLS, "", appPassword},
	{"gmx", "GMX", "mail.gmx.net", "587", smtp.StartTLS, "", "Allow POP3 and IMAP in its settings first."},
	{"webde", "WEB.DE", "smtp.web.de", "587", smtp.StartTLS, "", "Allow POP3 and IMAP in its settings first."},
	{"ionos", "IONOS", "smtp.ionos.com", "587", smtp.StartTLS, "", ""},
	{"strato", "STRATO", "smtp.strato.de", "465", smtp.FullTLS, "", ""},
	{"fastmail", "Fastmail", "smtp.fastmail.com", "465", smtp.FullTLS, "", appPassword},
	{"zoho", "Zoho Mail", "smtp.zoho.com", "465", smtp.FullTLS, "", "Accounts in the EU use smtp.zoho.eu."},
	{"brevo", "Brevo", "smtp-relay.brevo.com", "587", smtp.StartTLS, "",
		"User and password are the SMTP login and SMTP key of its settings."},
	{"mailgun", "Mailgun", "smtp.mailgun.org", "587", smtp.StartTLS, "", "Domains in the EU use smtp.eu.mailgun.org."},
	{"postmark", "Postmark", "smtp.postmarkapp.com", "587", smtp.StartTLS, "",
		"User and password are both the server's API token."},
	{"sendgrid", "SendGrid", "smtp.sendgrid.net", "587", smtp.StartTLS, "apikey",
		"The user is the word apikey, the password an API key."},
}

func findMailProvider(key string) *mailProvider {
	for i := range mailProviders {
		if mailProviders[i].key == key {
			return &mailProviders[i]
		}
	}
	return nil
}

// presets are the providers; choosing one fills in the form.
func presets() (all []dash.Option) {
	all = append(all, dash.Option{Label: "Another provider"})
	for _, p := range mailProviders {
		all = append(all, dash.Option{Value: p.key, Label: p.name})
	}
	return all
}
