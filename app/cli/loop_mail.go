package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/mail"
)

// smtpURL is the value of --smtp-url. What is wrong with it is told by check alone: the flags' own errors would show
// the value, and so the password.
type smtpURL struct {
	*mail.Server
	wrong error
}

func (u *smtpURL) check() error {
	if u.wrong == nil {
		return nil
	}
	return usage("%v", blame(u.wrong, "smtpUrl", "--smtp-url"))
}

func (u *smtpURL) String() string {
	if u.Server == nil {
		return ""
	}
	return u.Server.String()
}
func (u *smtpURL) Type() string { return "URL" }
func (u *smtpURL) Set(text string) error {
	s, err := mail.ParseServer(text)
	if u.wrong = err; err == nil {
		u.Server = &s
	}
	return nil
}

func smtpFlag(flags *pflag.FlagSet) *smtpURL {
	u := &smtpURL{}
	flags.Var(u, "smtp-url", "where mails go out: smtp(s)://user:password@host:port?from=address; TLS is required unless &tls=none")
	return u
}

// mailLoop sends mails. The demo has no --smtp-url: its mails stay in its log.
func mailLoop(flags *pflag.FlagSet) func(*wiring) error {
	u := &smtpURL{}
	if flags.Lookup("base-url") != nil {
		u = smtpFlag(flags)
	}
	return func(w *wiring) error {
		if err := u.check(); err != nil {
			return err
		}
		w.Mail.ShareMailServer(u.Server)
		loop := mail.New(mail.Config{Service: w.Mail, Server: u.Server, Logger: w.log()})
		w.OnCommit(loop.Wake)
		w.loop("mail", loop.Run)
		return nil
	}
}
