package console

import (
	"github.com/spf13/pflag"

	"daybook/app/mail/smtp"
)

// SMTPURL is the value of --smtp-url. Only Check returns what is wrong with it: the error of a flag would show the
// value, and so the password.
type SMTPURL struct {
	*smtp.Server
	wrong error
}

// Check returns what is wrong with the value, or nil.
func (u *SMTPURL) Check() error {
	if u.wrong == nil {
		return nil
	}
	return Usagef("%v", NameFlags(u.wrong, "smtpUrl", "--smtp-url"))
}

func (u *SMTPURL) String() string {
	if u.Server == nil {
		return ""
	}
	return u.Server.String()
}

func (u *SMTPURL) Type() string { return "URL" }

func (u *SMTPURL) Set(text string) error {
	s, err := smtp.Parse(text)
	if u.wrong = err; err == nil {
		u.Server = &s
	}
	return nil
}

// AddSMTPFlag adds --smtp-url.
func AddSMTPFlag(flags *pflag.FlagSet) *SMTPURL {
	u := &SMTPURL{}
	flags.Var(u, "smtp-url",
		"where mails go out: smtp(s)://user:password@host:port?from=address; TLS is required unless &tls=none")
	return u
}
