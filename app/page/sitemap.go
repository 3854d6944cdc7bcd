package page

import (
	"html"
	"io"
	"net/http"
	"strings"
)

// sitemap lists the pages of one business, those that its own page leads to, for search engines (sitemaps.org 0.9).
// Nothing leads there from elsewhere: the business tells a search engine of it, if it likes.
func sitemap(c *call) error {
	if err := c.enter(); err != nil {
		return err
	}
	offered, b := Listed(c.setup), c.profile(nil)
	all := []string{b.BaseURL + "/" + c.slug()}
	for _, e := range offered {
		all = append(all, e.BookingURL)
	}
	for i := range c.setup.Hosts {
		if h := &c.setup.Hosts[i]; b.serves(h, offered) {
			all = append(all, b.hostURL(h))
		}
	}
	var text strings.Builder
	text.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, address := range all {
		text.WriteString("<url><loc>" + html.EscapeString(address) + "</loc></url>\n")
	}
	text.WriteString("</urlset>\n")
	c.w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	c.w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(c.w, text.String())
	return err
}
