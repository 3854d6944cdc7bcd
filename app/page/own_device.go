package page

import (
	"net/http"
	"net/url"
	"strings"

	"daybook/app/fault"
)

// cookieName is that of the device's cookie. Its path is that of the workspace's pages.
func (c *call) cookieName() string {
	if c.secure() {
		return "__Secure-daybook-me"
	}
	return "daybook-me"
}

// secure reports whether cookies are limited to https.
func (c *call) secure() bool { return strings.HasPrefix(c.service.BaseURL(), "https:") }

// cookie returns what the device's cookie has, or "".
func (c *call) cookie() string {
	cookie, err := c.r.Cookie(c.cookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// setCookie has the device keep that for so many seconds; fewer than 0 deletes it.
func (c *call) setCookie(value string, seconds int) {
	http.SetCookie(c.w, &http.Cookie{Name: c.cookieName(), Value: value, Path: "/" + c.slug(), MaxAge: seconds, HttpOnly: true,
		Secure: c.secure(), SameSite: http.SameSiteLaxMode})
}

// elsewhereSent reports whether another site has sent the form.
func (c *call) elsewhereSent() bool { return c.guard.Check(c.r) != nil }

// inFrame reports whether the page is shown within another one.
func (c *call) inFrame() bool {
	switch c.r.Header.Get("Sec-Fetch-Dest") {
	case "iframe", "frame", "embed", "object":
		return true
	}
	return c.query.Embed != ""
}

// recognise sets whose page is open on the visitor's device. Within a frame, and for a form of another site, it is
// nobody's.
func (c *call) recognise() error {
	cookie := c.cookie()
	if cookie == "" || c.inFrame() || c.elsewhereSent() {
		return nil
	}
	contact, until, err := c.service.Own.Device(c.r.Context(), c.setup.Workspace.ID, cookie)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		return err
	}
	c.actor.Contact, c.ownUntil, c.framable = contact, until, false
	return nil
}

// prefilled returns what the form is filled in with: by the address, or else, on a device with an open page, with the
// customer's own name, e-mail address and telephone number.
func (c *call) prefilled() (url.Values, error) {
	if c.actor.Contact == 0 || c.link != "" {
		return c.query.Prefill, nil
	}
	who, err := c.service.Own.Contact(c.r.Context(), c.actor)
	if fault.Is(err, fault.NotFound) {
		return c.query.Prefill, nil
	}
	if err != nil {
		return nil, err
	}
	c.personal = true
	values := url.Values{}
	for name, given := range c.query.Prefill {
		values[name] = given
	}
	for name, value := range map[string]string{"name": who.Name, "email": who.Email, "phone": who.Phone} {
		if !values.Has(name) && value != "" {
			values.Set(name, value)
		}
	}
	return values, nil
}
