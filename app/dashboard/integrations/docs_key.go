package integrations

import (
	"net/http"
	"time"

	"daybook/app/account"
	"daybook/app/when"
)

// docsKeyLasts is for how long a key works that was made in the documentation.
const docsKeyLasts = time.Hour

// docsKey makes a key for the first page of the API's documentation, which then has it in its commands.
func (c call) docsKey() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	in := account.KeyInput{Name: "docs", Scope: account.ReadOnlyScope}
	if form.Get("scope") == string(account.FullScope) {
		in.Scope = account.FullScope
	}
	in.Limits.Until = when.At(c.Subjects.Now().Add(docsKeyLasts))
	k, err := c.Subjects.Account.CreateKey(c.Context(), c.Actor, in)
	if err != nil {
		return err
	}
	if c.KeyGuide == nil {
		return c.showKey(k)
	}
	c.KeyGuide(c.ResponseWriter, c.Request, k)
	return nil
}

// docsKeyForm is where a browser comes that asks for the page of a key again, which nobody can show twice.
func (c call) docsKeyForm() error {
	http.Redirect(c.ResponseWriter, c.Request, "/api/docs", http.StatusSeeOther)
	return nil
}
