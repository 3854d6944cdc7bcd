package page

import (
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/views"
)

// maxNames is how many hosts are named; if there are more, none is.
const maxNames = 4

// eventView is an event type as customers see it.
func (v *visit) eventView(e *catalog.EventType) views.Event {
	view := views.Event{
		Title: e.Title, Text: e.Description, Duration: time.Duration(e.DurationMinutes) * time.Minute,
		Price: money(e.Price), OnSite: e.Price != nil && !v.paysOnline(e),
		Location: e.Location, Online: online(e.Location), Approval: e.RequiresApproval,
		URL: views.EventPath(v.slug(), e.Slug, v.query.Look()),
	}
	if v.holdsCard(e) {
		view.NoShowFee = money(e.NoShowFee)
	}
	if len(e.Hosts) <= maxNames {
		for _, h := range e.Hosts {
			if host := v.setup.Host(h.ID); host.Active {
				view.Hosts = append(view.Hosts, host.Name)
			}
		}
	}
	return view
}

// bookedView is what was booked, with the price, the place and the host at the time of booking.
func (v *visit) bookedView(b *record.Booking) views.Event {
	view := views.Event{Title: b.EventType}
	if e := v.setup.EventTypeByID(b.EventTypeID); e != nil {
		view = v.eventView(e)
	}
	view.Duration = b.End.Time().Sub(b.Start.Time())
	view.Price, view.OnSite = money(b.Price), b.Price != nil && b.Payment == nil
	view.Location, view.Online = b.Location, online(b.Location)
	view.Hosts = []string{b.Host.Name}
	view.Approval = false // its status shows that
	return view
}

// paysOnline reports whether the price is paid online before the booking is confirmed.
func (v *visit) paysOnline(e *catalog.EventType) bool {
	return e.Price != nil && e.Payment == catalog.PayOnline && v.takesCards(e.WorkspaceID)
}

// holdsCard reports whether a no-show fee can be charged, so that the invitee must agree to it.
func (v *visit) holdsCard(e *catalog.EventType) bool {
	return e.NoShowFee != nil && v.takesCards(e.WorkspaceID)
}

func money(m *catalog.Money) *views.Money {
	if m == nil {
		return nil
	}
	return &views.Money{Amount: m.Amount, Currency: m.Currency}
}

// online guesses from the words of a location whether it is a call; it only chooses the icon.
func online(location string) bool {
	location = strings.ToLower(location)
	for _, word := range []string{"http:", "https:", "video", "vidéo", "zoom", "google meet", "teams", "skype", "online",
		"phone", "telefon", "téléphone", "teléfono"} {
		if strings.Contains(location, word) {
			return true
		}
	}
	return false
}

const longestSummary = 200

// summary is a text's first paragraph, shortened for previews and search engines.
func summary(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= longestSummary {
		return text
	}
	cut := string([]rune(text)[:longestSummary])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}
