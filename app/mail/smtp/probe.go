package smtp

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/views"
)

// Check opens a session with the server, signs in and closes it. The error has the server's message.
func Check(ctx context.Context, server *Server, trust *tls.Config) error {
	c, err := Connect(ctx, server, trust)
	if err != nil {
		return err
	}
	c.Quit()
	return nil
}

// Test sends a test mail at once, without the queue. The error has the server's message, or is app's.
func Test(ctx context.Context, server *Server, trust *tls.Config, to, locale string) error {
	return test(ctx, server, trust, to, locale, "")
}

// TestCode does the same with digits in the mail, which whoever gets it types in.
func TestCode(ctx context.Context, server *Server, trust *tls.Config, to, locale, code string) error {
	return test(ctx, server, trust, to, locale, code)
}

func test(ctx context.Context, server *Server, trust *tls.Config, to, locale, code string) error {
	if _, err := fault.CheckEmail("address", to); err != nil {
		return err
	}
	l := views.MatchLocale(locale, "")
	name := server.From.Name
	if name == "" {
		name = "Daybook"
	}
	page := views.MailPage{
		Locale: l, Workspace: views.Workspace{Name: name}, Subject: l.T("mail_test_subject"), Heading: l.T("mail_test_head"),
		Text: l.T("mail_test_text", "Server", server.Address()),
	}
	if code != "" {
		page.Subject = l.T("mail_test_code_subject", "Code", code)
		page.Text = l.T("mail_test_code_text", "Server", server.Address())
		page.Facts = []views.MailFact{{Label: l.T("mail_test_code"), Value: code, Strong: true}}
	}
	page.Preview = page.Text
	var html strings.Builder
	if err := views.MailView(page).Render(ctx, &html); err != nil {
		return err
	}
	from := server.From
	from.Name = name
	m := &Message{
		ID: strings.ToLower(rand.Text()) + "@" + domainOf(server.From.Address), From: from, To: to,
		Subject: page.Subject, Text: views.MailText(page), HTML: html.String(), Date: time.Now(),
	}
	body, err := Written(m)
	if err != nil {
		return err
	}
	c, err := Connect(ctx, server, trust)
	if err != nil {
		return err
	}
	defer c.Quit()
	return c.Send(ctx, m, body)
}
