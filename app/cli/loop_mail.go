package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/demo"
	"daybook/app/mail"
)

// mailLoop sends mails. The demo has no --smtp-url: its mails are caught, for a page to show.
func mailLoop(flags *pflag.FlagSet) func(*wiring) error {
	u := &console.SMTPURL{}
	if flags.Lookup("base-url") != nil {
		u = console.AddSMTPFlag(flags)
	}
	return func(w *wiring) error {
		if err := u.Check(); err != nil {
			return err
		}
		if w.Caught != nil {
			u.Server = w.Caught.Server(demo.Sender)
		}
		w.Mail.ShareMailServer(u.Server)
		l := mail.NewLoop(mail.LoopConfig{Service: w.Mail, Server: u.Server, Logger: w.Log()})
		w.OnCommit(l.Wake)
		w.Loop("mail", l.Run)
		w.Registry.MustRegister(mailMetrics(w.Mail.Counts())...)
		return nil
	}
}
