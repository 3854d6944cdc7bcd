package mail

import (
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// TeamItem is one of the bookings of a visit that a mail to somebody of the team is about: what was true of it when the
// mail was queued.
type TeamItem struct {
	Booking booking.BookingID `json:"booking"`
	Untold  bool              `json:"untold,omitempty"` // left out when the mail was sent
	Facts
}

// teamKinds are the mails by which the team is told.
var teamKinds = map[app.News]catalog.MailKind{
	app.NewsBooked: catalog.MailTeamNew, app.NewsApproved: catalog.MailTeamNew, app.NewsAsked: catalog.MailTeamDecision,
	app.NewsMoved: catalog.MailTeamMoved, app.NewsChanged: catalog.MailTeamMoved, app.NewsCancelled: catalog.MailTeamCancelled,
	app.NewsNotComing: catalog.MailTeamNotComing,
}

// teamMail is what somebody of the team, whoever reads at an address, is told of changes that were made together.
type teamMail struct {
	to    string
	items map[*app.TeamNews]Facts
	wants bool // one of the services that concern them tells
}

// makeTeam writes the mails to the team that the change carries: to each address one, with all that concerns those who read
// there.
func (m *mailMaker) makeTeam() error {
	notice, err := m.u.TeamNotice(m.r, m.b, m.history())
	if err != nil {
		return err
	}
	var mails []*teamMail // in the order in which they are written
	of := map[string]*teamMail{}
	for i := range notice.All() {
		news := &notice.All()[i]
		one, err := m.about(news)
		if err != nil {
			return err
		}
		wants := m.setup.Wants(teamKinds[news.News], one.event)
		err = one.tellTeam(news, func(email string, f Facts) {
			key := fault.EmailKey(email)
			if email == "" {
				return
			}
			if of[key] == nil {
				of[key] = &teamMail{to: email, items: map[*app.TeamNews]Facts{}}
				mails = append(mails, of[key])
			}
			known, told := of[key].items[news]
			if told {
				known.Owner = known.Owner || f.For == ToOwner
				f = known
			}
			of[key].items[news], of[key].wants = f, of[key].wants || wants
		})
		if err != nil {
			return err
		}
	}
	for _, mail := range mails {
		carried := notice.Of(func(n *app.TeamNews) bool { _, concerns := mail.items[n]; return concerns })
		if len(carried) > 0 && mail.wants {
			m.put(teamKinds[carried[0].News], mail.to, mail.facts(carried))
		}
	}
	return nil
}

// history returns the series that the change is of, or the visit that the booking is one of several of, else nil.
func (m *mailMaker) history() *app.VisitHistory {
	switch {
	case m.series != nil:
		return m.series
	case m.visit == nil:
		return nil
	}
	return m.visit.VisitHistory
}

// about returns a maker of what is told of another of the changes that were made together.
func (m *mailMaker) about(news *app.TeamNews) (*mailMaker, error) {
	if news.Booking.ID == m.b.ID {
		return m, nil
	}
	return m.another(news.Booking, news.Change)
}

// another returns a maker of what is told of another change, of another booking.
func (m *mailMaker) another(b *booking.Booking, u *app.Followed) (*mailMaker, error) {
	one := &mailMaker{r: m.r, known: m.known, setup: m.setup, event: m.setup.EventTypeByID(b.EventTypeID), b: b, u: u, now: m.now}
	return one, one.became()
}

// tellTeam calls tell with the address of everybody of the team who is told of the change, and what. An address may come
// twice: then the first counts.
func (m *mailMaker) tellTeam(news *app.TeamNews, tell func(email string, f Facts)) error {
	facts := func(to Role) Facts {
		f := m.facts(to)
		if f.Sequence > 0 {
			f.Doing = append([]catalog.HostID{news.Host}, news.Others...)
		}
		if m.u.Action == booking.ActRescheduled {
			f.Did = append([]catalog.HostID{m.u.PreviousHost}, m.u.PreviousOthers...)
			f.Held = m.u.Actor == booking.ByOwner
		}
		return f
	}
	host := func(id catalog.HostID, gone bool) {
		if h := m.setup.Host(id); h != nil {
			f := facts(ToHost)
			f.Gone, f.Host = gone, h.ID
			tell(h.Email, f)
		}
	}
	for _, doing := range append([]catalog.HostID{news.Host}, news.Others...) {
		host(doing, false)
	}
	for _, left := range append([]catalog.HostID{news.Before}, news.Left...) {
		host(left, true)
	}
	if !news.Owners {
		return nil
	}
	owners, err := app.AskOnce(m.known, [2]any{"owners", m.b.WorkspaceID}, func() ([]app.User, error) {
		return OwnersOf(m.r, m.b.WorkspaceID)
	})
	for i := range owners {
		if news.Tells(&owners[i]) {
			tell(owners[i].Email, facts(ToOwner))
		}
	}
	return err
}

// facts returns those of the mail: of several bookings those of the first, as whoever has a part in one of them.
func (t *teamMail) facts(carried []*app.TeamNews) Facts {
	var items []TeamItem
	for _, news := range carried {
		items = append(items, TeamItem{Booking: news.Booking.ID, Facts: t.items[news]})
	}
	if len(items) == 1 {
		return items[0].Facts
	}
	return together(items)
}

// together returns the facts of a mail about several bookings.
func together(items []TeamItem) Facts {
	f := items[0].Facts
	if i := slices.IndexFunc(items, func(one TeamItem) bool { return one.For == ToHost }); i >= 0 {
		f.For, f.Host = ToHost, items[i].Host
	}
	f.Team = items
	return f
}

// OwnersOf returns the owners among the members; they are told of everything.
func OwnersOf(r Reader, ws catalog.WorkspaceID) ([]app.User, error) {
	users, err := r.Users(ws, 1000)
	return slices.DeleteFunc(users, func(u app.User) bool { return u.Role != app.OwnerRole }), err
}
