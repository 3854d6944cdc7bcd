package dashboard

import (
	"net/http"

	"daybook/views/dash"
)

func (d *Door) cookieName() string {
	if d.secure {
		return "__Host-daybook"
	}
	return "daybook"
}

func (c *call) token() string {
	cookie, err := c.Cookie(c.door.cookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// signIn gives the browser its new session, whatever it had before.
func (c *call) signIn(token string) {
	http.SetCookie(c.ResponseWriter, &http.Cookie{
		Name: c.door.cookieName(), Value: token, Path: "/", HttpOnly: true, Secure: c.door.secure, SameSite: http.SameSiteLaxMode, MaxAge: 30 * 24 * 3600,
	})
}

func (c *call) signOut() {
	http.SetCookie(c.ResponseWriter, &http.Cookie{
		Name: c.door.cookieName(), Path: "/", HttpOnly: true, Secure: c.door.secure, SameSite: http.SameSiteLaxMode, MaxAge: -1,
	})
}

const themeCookie = "daybook-theme"

func (c *call) themeChoice() string {
	if cookie, err := c.Cookie(themeCookie); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return ""
}

// theme chooses light, dark or the system's colours for this browser.
func (d *Door) theme(c *call) error {
	value := c.PostFormValue("theme")
	age := 365 * 24 * 3600
	if value != "light" && value != "dark" {
		value, age = "", -1
	}
	http.SetCookie(c.ResponseWriter, &http.Cookie{Name: themeCookie, Value: value, Path: "/", HttpOnly: true, Secure: d.secure, SameSite: http.SameSiteLaxMode, MaxAge: age})
	return c.redirect(dash.AccountPath, "")
}
