package web

import (
	"net/http"

	"daybook/app"
	"daybook/app/account"
)

func (c *Call) cookieName() string {
	if c.Secure {
		return "__Host-daybook"
	}
	return "daybook"
}

// Token returns the token in the session cookie, or "".
func (c *Call) Token() string {
	cookie, err := c.Cookie(c.cookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SignIn gives the browser a new session of u, which replaces the one it had, and has it keep that u has signed in with
// it.
func (c *Call) SignIn(token string, u *app.User) {
	c.KnowBrowser(u)
	http.SetCookie(c.ResponseWriter, &http.Cookie{
		Name: c.cookieName(), Value: token, Path: "/", HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode,
		MaxAge: 30 * 24 * 3600,
	})
}

// SignOut deletes the browser's session cookie.
func (c *Call) SignOut() {
	http.SetCookie(c.ResponseWriter, &http.Cookie{
		Name: c.cookieName(), Path: "/", HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode, MaxAge: -1,
	})
}

// The cookie by which a browser is known that a member has signed in with, see account.KnownBrowser.
func (c *Call) browserCookie() string {
	if c.Secure {
		return "__Host-daybook-browser"
	}
	return "daybook-browser"
}

// Browser returns what the browser keeps of an earlier sign-in, or "".
func (c *Call) Browser() string {
	cookie, err := c.Cookie(c.browserCookie())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// KnowBrowser has the browser keep it for the longest time that browsers keep anything.
func (c *Call) KnowBrowser(u *app.User) {
	known := account.KnownBrowser(u)
	if known == "" {
		return
	}
	http.SetCookie(c.ResponseWriter, &http.Cookie{
		Name: c.browserCookie(), Value: known, Path: "/", HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode,
		MaxAge: 400 * 24 * 3600,
	})
}

// ThemeCookie stores the browser's choice of light or dark.
const ThemeCookie = "daybook-theme"

func (c *Call) themeChoice() string {
	if cookie, err := c.Cookie(ThemeCookie); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return ""
}
