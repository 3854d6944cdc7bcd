package assistant

import (
	"fmt"
	"net/http"
	"strings"

	"daybook/app/catalog"
	"daybook/app/guest"
	"daybook/app/money"
)

// everybody describes the server (llmstxt.org): the businesses where assistants may book.
func (d *Door) everybody(r *http.Request) (string, error) {
	open, err := d.service.Guest.Listed(r.Context())
	if err != nil {
		return "", err
	}
	base := d.service.BaseURL()
	var b strings.Builder
	b.WriteString("# Appointments\n\n> Businesses that take appointments at " + base + ". Their pages show open times " +
		"and book without an account.\n")
	if len(open) > 0 {
		b.WriteString("\n## Businesses\n\nAssistants may book at these for a person, who confirms by e-mail.\n\n")
	}
	for _, s := range open {
		w := &s.Workspace
		fmt.Fprintf(&b, "- [%s](%s/%s/llms.txt)%s\n", plain(w.Name), base, w.Slug, after(": ", w.Settings.Description))
	}
	fmt.Fprintf(&b, "\n## For developers\n\n- [API reference](%s/api/docs): for businesses that use this server, with a "+
		"key\n- [Servers of tools](%s/.well-known/mcp.json): addresses for the Model Context Protocol\n", base, base)
	return b.String(), nil
}

// business describes one of them: what it offers, and how to book it.
func (d *Door) business(r *http.Request) (string, error) {
	s, err := d.service.Guest.Open(r.Context(), r.PathValue("workspace"))
	if err != nil {
		return "", err
	}
	w, base := &s.Workspace, d.service.BaseURL()
	var b strings.Builder
	b.WriteString("# " + plain(w.Name) + "\n\n")
	if w.Settings.Description != "" {
		b.WriteString("> " + plain(w.Settings.Description) + "\n\n")
	}
	if w.Settings.About != "" {
		b.WriteString(strings.Join(strings.Fields(plain(w.Settings.About)), " ") + "\n\n")
	}
	fmt.Fprintf(&b, "- Booking page: %s/%s\n- Time zone: %s\n", base, w.Slug, w.TimeZone)
	if w.Settings.Address != "" {
		b.WriteString("- Address: " + plain(w.Settings.Address) + "\n")
	}
	if w.Settings.Phone != "" {
		b.WriteString("- Telephone: " + plain(w.Settings.Phone) + "\n")
	}
	fmt.Fprintf(&b, "\n## Booking for a person\n\n- Tools (Model Context Protocol, Streamable HTTP, no key): %s\n"+
		"- They list services and open times, ask for a booking, and move or cancel it by its own link.\n"+
		"- The person gets an e-mail with a link and a code. Nothing is booked before one of them is used, within 10 "+
		"minutes.\n", base+Path(w.Slug))
	b.WriteString("\n## Services\n\n")
	for _, e := range guest.Listed(s) {
		fmt.Fprintf(&b, "- [%s](%s): %d minutes%s%s\n", plain(e.Title), e.BookingURL, e.DurationMinutes, price(s, e),
			after(". ", summary(e.Description)))
	}
	return b.String(), nil
}

// price returns what an event type costs, in words.
func price(s *catalog.Setup, e *catalog.EventType) string {
	low, high, more := s.Prices(e)
	switch {
	case low.Units() == 0 && high.Units() == 0 && !more:
		return ""
	case more || low.Units() != high.Units():
		return ", from " + amount(low, high)
	}
	return ", " + amount(low, high)
}

func amount(m, or *money.Money) string {
	if m == nil {
		if or == nil {
			return "0"
		}
		m = &money.Money{Currency: or.Currency}
	}
	return money.Decimal(m.Amount, m.Currency) + " " + m.Currency
}

// plain returns a text that means nothing else in Markdown: it makes no link.
func plain(text string) string {
	return strings.NewReplacer("[", "(", "]", ")", "<", "‹", ">", "›").Replace(text)
}

// after returns the text behind what leads to it, or "" for none.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + plain(text)
}

// summary returns the first paragraph of a text, in a line.
func summary(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n\n")
	return strings.Join(strings.Fields(text), " ")
}
