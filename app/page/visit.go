package page

import (
	"net/http"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/when"
	"daybook/views"
)

// showVisit shows a visit to the person who has its link.
func showVisit(c *call) error {
	v, err := c.enterVisit()
	if err != nil {
		return err
	}
	return c.showVisit(http.StatusOK, &v)
}

// enterVisit finds the visit by the token in the path.
func (c *call) enterVisit() (booking.Visit, error) {
	c.query.Visit = ""
	v, actor, err := c.service.VisitByToken(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return v, err
	}
	c.is(actor)
	first := &v.Items[0]
	if c.setup, err = c.service.Setup(first.WorkspaceID); err != nil {
		return v, err
	}
	c.readZone(first.Invitee.TimeZone)
	if slices.ContainsFunc(v.Items, func(b booking.Booking) bool { return bookedInPerson(&b) }) {
		c.atShop()
	}
	return v, nil
}

// visitToken returns the part of a visit's link that identifies it.
func visitToken(v *booking.Visit) string {
	return v.ManageURL[strings.LastIndexByte(v.ManageURL, '/')+1:]
}

func (c *call) showVisit(status int, v *booking.Visit) error { return c.showVisitNoted(status, v, "") }

// showVisitNoted is showVisit with a note on what was just done.
func (c *call) showVisitNoted(status int, v *booking.Visit, note string) error {
	p, err := c.visitPage(v)
	if err != nil {
		return err
	}
	if p.Note = note; note == "" {
		if p.Note, err = c.textsStopped(&v.Items[0]); err != nil {
			return err
		}
	}
	return c.show(status, views.VisitView(p))
}

// visitPage returns the visit as its invitee sees it. What is said of all of it is said of the bookings that are live, or
// of the last one where none is.
func (c *call) visitPage(v *booking.Visit) (views.VisitPage, error) {
	live := v.Live()
	first := v.Items[len(v.Items)-1]
	if len(live) > 0 {
		first = live[0]
	}
	one := views.BookingPage{
		Page: c.page(), ID: first.ID.String(), VisitID: v.ID.String(), Status: string(first.Status), Live: len(live) > 0, Event: c.visitView(v),
		Start: c.local(v.Start), End: c.local(v.End), Zone: c.zone.String(), Email: first.Invitee.Email,
		Answers: c.visitAnswers(v), Past: v.End < when.At(c.service.Now()), URL: v.ManageURL,
		Calendar: c.visitEvent(v), CalendarURL: views.VisitCalendarPath(visitToken(v)),
	}
	one.Title, one.OwnURL = one.Event.Title, c.ownURL()
	var failed error
	if one.Series, failed = c.seriesList(&first); failed != nil {
		return views.VisitPage{}, failed
	}
	for i := range live {
		if b := &live[i]; b.PendingReason != nil && one.Pending == "" {
			one.Pending, one.ExpiresAt = string(*b.PendingReason), c.local(b.ExpiresAt)
		}
	}
	if p := v.Payment; p != nil && p.URL != "" {
		one.PayURL = views.PayVisitPath(visitToken(v))
	}
	if one.Pending == string(booking.ForPayment) && first.Series != nil {
		one.PayURL = views.PayVisitPath(visitToken(v))
		if one.PaySum, failed = c.dueOf(&first); failed != nil {
			return views.VisitPage{}, failed
		}
	}
	if ahead := booking.PayLinks(v.Items); ahead != nil {
		one.PayURL, one.PayAhead = views.PayVisitPath(visitToken(v)), shownMoney(ahead)
	}
	if len(live) > 0 && first.RescheduleCount > 0 {
		one.Previous = c.local(first.PreviousStart)
		one.Moved, one.Query.Fresh = one.Query.Fresh, false // it was just moved, not made
	}
	if first.Cancellation != nil {
		ended, dates := v.Items, 1
		if first.Series != nil {
			others, n, err := c.cancelledWith(&first)
			if err != nil {
				return views.VisitPage{}, err
			}
			ended = slices.Clone(ended)
			for i := range others {
				if others[i].Series.Position != first.Series.Position {
					ended = append(ended, others[i])
				}
			}
			dates = n
		}
		if failed = c.tellOfEnd(&one, &first, ended, dates); failed != nil {
			return views.VisitPage{}, failed
		}
	}
	outlook, err := c.service.Mail.MailOutlook(c.r.Context(), &first)
	if err != nil {
		return views.VisitPage{}, err
	}
	one.Mail = string(outlook)
	if one.TellsLater, err = c.service.Mail.TellsOfApproval(c.r.Context(), &first); err != nil {
		return views.VisitPage{}, err
	}
	c.offerVisitChanges(&one, v, live)
	each := false
	for i := range live {
		fee, err := c.lateFee(&live[i])
		if err != nil {
			return views.VisitPage{}, err
		}
		each = each || fee != nil
	}
	return views.VisitPage{BookingPage: one, CancelEach: each, Items: c.visitItems(v, v.Items),
		Sum: shownMoney(v.Sum())}, nil
}

// offerVisitChanges adds what the invitee can still do with all of the visit.
func (c *call) offerVisitChanges(p *views.BookingPage, v *booking.Visit, live []booking.Booking) {
	look := c.query.Look()
	p.AgainURL = views.IndexPath(c.slug(), look)
	if late := c.lateOf(live); late != nil {
		if e := c.setup.EventTypeByID(late.EventTypeID); e != nil {
			p.NoticeHours = (e.CancellationNoticeMinutes + 59) / 60
		}
	} else if len(live) > 0 {
		all := make([]*booking.Booking, len(live))
		for i := range live {
			all[i] = &live[i]
		}
		p.FreeUntil = c.freeUntil(all...)
		p.CancelURL = views.CancelVisitPath(visitToken(v), look)
		if c.movable(live) {
			p.MoveURL = views.MoveVisitPath(visitToken(v), look)
		}
	}
}

// lateOf returns the first of the bookings that the invitee may not change any more, or nil.
func (c *call) lateOf(live []booking.Booking) *booking.Booking {
	for i := range live {
		if !c.changeable(&live[i]) {
			return &live[i]
		}
	}
	return nil
}

// movable reports whether all that is live of a visit can still be booked.
func (c *call) movable(live []booking.Booking) bool {
	return len(live) > 0 && !slices.ContainsFunc(live, func(b booking.Booking) bool {
		e := c.setup.EventTypeByID(b.EventTypeID)
		return e == nil || !e.Active
	})
}

// visitItems returns bookings of the visit as its page lists them.
func (c *call) visitItems(v *booking.Visit, of []booking.Booking) (all []views.VisitItem) {
	year, day := c.local(v.Start).Year(), c.local(v.Start).YearDay()
	for i := range of {
		b := &of[i]
		start := c.local(b.Start)
		all = append(all, views.VisitItem{Event: c.bookedView(b), Start: start, End: c.local(b.End), Status: string(b.Status),
			OtherDay: start.Year() != year || start.YearDay() != day,
			Pending:  b.Status == booking.Pending, Past: b.End < when.At(c.service.Now()),
			Open: b.Status.Live() && b.End >= when.At(c.service.Now()),
			URL:  views.BookingPath(token(b), c.query.FromVisit(visitToken(v)))})
	}
	return all
}

// visitView returns all that takes place of the visit as one event, or all of it where nothing does.
func (c *call) visitView(v *booking.Visit) views.Event {
	of := v.Live()
	if len(of) == 0 {
		of = v.Items
	}
	view := views.Event{Duration: v.End.Time().Sub(v.Start.Time()), Price: shownMoney(v.Sum()), OnSite: true}
	var online *views.Money
	for i := range of {
		if p := of[i].Payment; p != nil && p.Amount > 0 {
			online = addMoney(online, &views.Money{Amount: p.Amount, Currency: p.Currency})
		}
	}
	addOnline(&view, online)
	addPaid(&view, of)
	titles := make([]string, len(of))
	for i := range of {
		titles[i] = of[i].EventType
		if e := c.setup.EventTypeByID(of[i].EventTypeID); e != nil {
			titles[i] = e.Title
		}
		if !slices.Contains(view.Hosts, of[i].Host.Name) {
			view.Hosts = append(view.Hosts, of[i].Host.Name)
		}
	}
	view.Title = strings.Join(titles, ", ")
	return view
}

// visitAnswers returns what the invitee said about any of the services, each thing once.
func (c *call) visitAnswers(v *booking.Visit) (all []views.Answer) {
	for i := range v.Items {
		for _, a := range c.answers(&v.Items[i]) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// visitEvent is the one calendar event of the visit.
func (c *call) visitEvent(v *booking.Visit) views.CalendarEvent {
	whole := v.Items[0]
	whole.Start, whole.End, whole.ManageURL = v.Start, v.End, v.ManageURL
	e := c.calendarEvent(&whole)
	e.Title = c.visitView(v).Title + " · " + c.setup.Workspace.Name
	return e
}
