package page

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/mail"
	"daybook/app/own"
	"daybook/app/text"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/views"
)

// Whoever has the short link of a text sees what the text is about, and can answer whether they come. It leads no further:
// links are short, and texts are read on locked phones. A code to the number goes on to the booking's own page.

const (
	missesAnHour = 20            // short links that open nothing, from an address or a /48
	receiptShown = 30 * when.Day // how long the link of a receipt opens it
)

// besideSlug leaves what isn't a short link to the pages of a workspace whose slug is t. That slug was free to choose before
// there were short links.
func (d *Door) besideSlug(links http.Handler) http.Handler {
	event, me := d.page(methods{get: event, post: book}), d.page(methods{get: ownPage, post: sendOwn})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, slug := r.PathValue("token"), strings.Trim(text.LinkPath, "/")
		if _, err := d.service.WorkspaceBySlug(r.Context(), slug); err != nil || text.IsCode(name) {
			links.ServeHTTP(w, r)
			return
		}
		r.SetPathValue("token", "")
		r.SetPathValue("workspace", slug)
		if name == own.Segment {
			me.ServeHTTP(w, r)
			return
		}
		r.SetPathValue("eventType", name)
		event.ServeHTTP(w, r)
	})
}

// errTextLink is of a short link that opens nothing.
var errTextLink = errors.New("no text has this link")

// textLink is what a short link's text is about, as it is now.
type textLink struct {
	text.Text
	asked []textLinkOf // the bookings of the text, or of all open questions of its number
	wait  *waitlist.Entry
	over  bool
}

// textLinkOf are bookings that are told of together: one, those of a visit, or dates of a series.
type textLinkOf struct {
	bookings []booking.Booking
	visit    *booking.Visit
	asks     bool
}

// textLinkPage shows what the text of a short link is about.
func textLinkPage(c *call) error {
	l, err := c.openTextLink()
	if err != nil {
		return c.noTextLink(err)
	}
	return c.showTextLink(http.StatusOK, &l, "")
}

// noTextLink answers a link that opens nothing.
func (c *call) noTextLink(err error) error {
	if errors.Is(err, errTextLink) {
		return c.showMessage(http.StatusNotFound, views.WrongTextLink(c.page()))
	}
	return err
}

// openTextLink finds the text of the link in the path. Addresses that have guessed wrongly too often find none.
func (c *call) openTextLink() (l textLink, err error) {
	c.framable, c.personal = false, true
	ctx, from := c.r.Context(), c.guesser()
	if err := c.service.Gate.Spent(ctx, from); err != nil {
		return l, err
	}
	l.Text, err = c.service.Text.Linked(ctx, c.r.PathValue("token"))
	if fault.Is(err, fault.NotFound) {
		if err := c.service.Gate.Count(ctx, from); err != nil {
			return l, err
		}
		return l, errTextLink
	}
	if err != nil {
		return l, err
	}
	if c.setup, err = c.service.Setup(l.WorkspaceID); err != nil {
		return l, err
	}
	c.actor = app.Actor{Kind: booking.ByInvitee, Workspace: l.WorkspaceID}
	c.readZone("")
	if err := c.setup.Workspace.Open(); err != nil {
		return l, err
	}
	switch {
	case l.Kind == catalog.TextAnswer:
		err = c.openQuestions(&l)
	case l.Kind == catalog.TextReceipt:
		l.over = l.Facts.Told.Receipt == nil || l.CreatedAt.Add(receiptShown) <= when.At(c.service.Now())
	case l.Facts.Told.Waits != nil:
		err = c.openWait(&l)
	case l.BookingID != 0:
		err = c.openTold(&l)
	default:
		err = errTextLink
	}
	return l, err
}

// guesser is the client whose misses are counted: an IPv6 address stands for its /48.
func (c *call) guesser() gate.Client {
	at := c.clientIP(c.r.Context()).Unmap()
	if at.Is6() && !at.IsLoopback() {
		if p, err := at.Prefix(48); err == nil {
			at = p.Addr()
		}
	}
	return gate.Client{Address: at, Most: missesAnHour, What: "text link "}
}

// system reads bookings with their links, which the page doesn't show.
func (c *call) system() app.Actor {
	return app.Actor{Kind: booking.BySystem, Workspace: c.setup.Workspace.ID}
}

// openTold finds the bookings that the text told of.
func (c *call) openTold(l *textLink) error {
	of := textLinkOf{}
	refs := []booking.BookingID{l.BookingID}
	for _, part := range l.Facts.Told.Series {
		if !slices.Contains(refs, part.Booking) {
			refs = append(refs, part.Booking)
		}
	}
	for _, ref := range refs {
		b, err := c.service.Booking(c.r.Context(), c.system(), ref.String())
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		of.bookings = append(of.bookings, b)
	}
	if len(of.bookings) == 0 {
		l.over = true
		return nil
	}
	first := &of.bookings[0]
	c.speakTo(first.Invitee)
	if first.InVisit() && len(refs) == 1 {
		v, err := c.service.Visit(c.r.Context(), c.system(), first.Visit.ID.String())
		if err != nil {
			return err
		}
		of.visit, of.bookings = &v, v.Items
	}
	of.bookings = slices.DeleteFunc(slices.Clone(of.bookings), func(b booking.Booking) bool { return !c.concerns(l, &b) })
	slices.SortStableFunc(of.bookings, func(a, b booking.Booking) int { return cmp.Compare(a.Start, b.Start) })
	if l.over = len(of.bookings) == 0; l.over {
		return nil
	}
	of.asks = l.Kind == catalog.TextReminder && slices.ContainsFunc(of.bookings, func(b booking.Booking) bool {
		e := c.setup.EventTypeByID(b.EventTypeID)
		return c.canAnswer(&b) && (l.Facts.Asks || e != nil && e.AsksComing)
	})
	l.asked = append(l.asked, of)
	return nil
}

// concerns reports whether a booking is still what the owner of the text's number has to know of.
func (c *call) concerns(l *textLink, b *booking.Booking) bool {
	return b.Status.Live() && c.notOver(b) && !b.Invitee.Erased() && (b.Invitee.Phone == "" || b.Invitee.Phone == l.To)
}

func (c *call) canAnswer(b *booking.Booking) bool {
	return app.MayAnswerComing(b, when.At(c.service.Now())) == nil
}

// speakTo shows the page in the person's language and zone.
func (c *call) speakTo(who booking.Invitee) {
	c.locale = views.MatchLocale(cmp.Or(c.query.Lang, who.Locale), c.r.Header.Get("Accept-Language"))
	c.readZone(who.TimeZone)
}

// openQuestions finds what the number was asked and can still answer.
func (c *call) openQuestions(l *textLink) error {
	open, err := c.service.Text.OpenQuestions(c.r.Context(), l.WorkspaceID, l.To)
	if err != nil {
		return err
	}
	for i := range open {
		c.speakTo(open[i].Bookings[0].Invitee)
		of := textLinkOf{bookings: open[i].Bookings, asks: true}
		if of.bookings[0].InVisit() {
			of.visit = &booking.Visit{ID: of.bookings[0].Visit.ID}
		}
		l.asked = append(l.asked, of)
	}
	l.over = len(l.asked) == 0
	return nil
}

// openWait finds what was offered.
func (c *call) openWait(l *textLink) error {
	news, now := l.Facts.Told.Waits, when.At(c.service.Now())
	e, _, err := c.service.Waitlist.ByToken(c.r.Context(), waitlist.Token(c.setup, news.Entry))
	if fault.Is(err, fault.NotFound) || err == nil && (news.Offer == nil || e.Invitee.Phone != l.To) {
		l.over = true
		return nil
	}
	if err != nil {
		return err
	}
	c.speakTo(e.Invitee)
	l.wait = &e
	if l.Facts.Mail == catalog.MailOffer {
		l.over = e.Status != waitlist.Offered || e.Offer == nil || e.Offer.Start != news.Offer.Start || e.Offer.Until <= now
	} else {
		l.over = !e.Status.Live() || news.Offer.Start <= now
	}
	return nil
}

// showTextLink shows the page, with what is wrong with what was sent.
func (c *call) showTextLink(status int, l *textLink, problem string) error {
	shop := c.shop(nil)
	switch {
	case l.over:
		return c.showMessage(status, views.OverTextLink(c.page(), shop.Phone, shop.PhoneURL))
	case l.wait != nil:
		return c.show(status, views.WaitView(c.offeredPage(l)))
	case l.Kind == catalog.TextReceipt:
		return c.showTextReceipt(l)
	}
	p := views.TextLinkPage{Page: c.page(), Zone: c.zone.String(), Action: c.r.URL.Path, Problem: problem,
		Phone: shop.Phone, CallURL: shop.PhoneURL, Sent: c.r.URL.Query().Has("code") || problem != "" && c.r.PostForm.Has("code")}
	p.Changes = l.Kind != catalog.TextAnswer
	for i := range l.asked {
		p.Items = append(p.Items, c.textLinkItem(&l.asked[i], len(l.asked) > 1))
	}
	p.Title = p.Items[0].Event.Title
	if len(p.Items) > 1 {
		p.Title = c.locale.T("textlink_several")
	}
	return c.show(status, views.TextLinkView(p))
}

// textLinkItem returns what the page shows of bookings: what, when and where.
func (c *call) textLinkItem(of *textLinkOf, several bool) views.TextLinkItem {
	first, last := &of.bookings[0], &of.bookings[len(of.bookings)-1]
	zone := c.zone
	if bookedInPerson(first) {
		zone = c.setup.Zone
	}
	item := views.TextLinkItem{Start: first.Start.Time().In(zone), End: first.End.Time().In(zone), Asks: of.asks}
	if of.visit != nil {
		item.End = last.End.Time().In(zone)
	}
	if several {
		item.Ref = first.ID.String()
	}
	said := first.SaysComing()
	var titles []string
	for i := range of.bookings {
		b := &of.bookings[i]
		title := b.EventType
		if e := c.setup.EventTypeByID(b.EventTypeID); e != nil {
			title = e.Title
		}
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
		start := b.Start.Time().In(zone)
		item.Parts = append(item.Parts, views.VisitItem{Event: views.Event{Title: title}, Start: start, End: b.End.Time().In(zone),
			OtherDay: start.YearDay() != item.Start.YearDay() || start.Year() != item.Start.Year()})
		if b.SaysComing() != said {
			said = ""
		}
	}
	if of.asks {
		item.Answer = string(said)
	}
	item.Event = views.Event{Title: strings.Join(titles, ", "), Duration: item.End.Sub(item.Start)}
	if bookedInPerson(first) {
		whole := c.bookedView(first)
		item.Event.Location, item.Event.Place = whole.Location, whole.Place
	}
	item.Status = c.locale.T("textlink_stands", "Name", c.setup.Workspace.Name)
	switch {
	case first.Status == booking.Pending:
		item.Status = c.locale.T("textlink_pending", "Name", c.setup.Workspace.Name)
	case of.asks:
		item.Status = c.locale.T("coming_text", "Name", c.setup.Workspace.Name)
	}
	return item
}

// offeredPage shows a time that is offered. Taking it goes on at the page of the entry.
func (c *call) offeredPage(l *textLink) views.WaitPage {
	o, page := l.Facts.Told.Waits.Offer, c.page()
	start, end := c.local(o.Start), c.local(o.End)
	p := views.WaitPage{Page: page, Action: c.r.URL.Path, Icon: "hourglass", Heading: page.T("wait_offered"), Facts: []views.MailFact{
		{Label: page.T("mail_what"), Value: strings.Join(mail.WaitServices(c.setup, l.wait), "\n")},
		{Label: page.T("mail_when"), Value: views.Capital(page.Locale.Date(start)) + "\n" + page.Locale.Span(start, end, "")}}}
	if l.Facts.Mail == catalog.MailOffer {
		p.Text = page.T("wait_offered_text", "Name", c.setup.Workspace.Name, "Time", page.Locale.Time(c.local(l.wait.Offer.Until), ""))
		p.Buttons = []views.WaitButton{{Do: "offer", Label: page.T("wait_answer"), Main: true}}
	} else {
		p.Text = page.T("wait_open_text", "Name", c.setup.Workspace.Name)
		p.Links = []views.Link{{Label: page.T("wait_open_book"), URL: mail.OpeningPath(c.setup, l.wait, o)}}
	}
	p.Title = p.Heading
	return p
}

// showTextReceipt shows a receipt without its customer's name.
func (c *call) showTextReceipt(l *textLink) error {
	r, err := c.service.Counter.Receipt(c.r.Context(), app.Operator(l.WorkspaceID), l.Facts.Told.Receipt.ID.String())
	if err != nil {
		return err
	}
	r.Customer = ""
	content := mail.ReceiptPage(&r, c.locale, c.setup.Zone)
	p := views.OwnReceiptPage{Page: c.page(), Heading: content.Heading, Text: content.Text, Note: content.Note, Facts: content.Facts,
		Bill: content.Bill}
	p.Title = p.Heading
	return c.show(http.StatusOK, views.OwnReceiptView(p))
}

// actOnTextLink does what a button of the page says.
func actOnTextLink(c *call) error {
	l, err := c.openTextLink()
	if err != nil {
		return c.noTextLink(err)
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	if l.over {
		return c.showTextLink(http.StatusConflict, &l, "")
	}
	switch do := c.r.PostForm.Get("do"); {
	case c.r.PostForm.Has("answer"):
		return c.answerTextLink(&l)
	case do == "offer" && l.wait != nil && l.Facts.Mail == catalog.MailOffer:
		return c.redirect(waitlist.Path(c.setup, l.wait.ID))
	case do == "send" && len(l.asked) == 1 && l.Kind != catalog.TextAnswer:
		if err := c.service.Text.SendCode(c.r.Context(), &l.Text, c.locale.Tag, c.clientIP(c.r.Context())); err != nil {
			return c.refuseCode(&l, err)
		}
		return c.redirect(c.r.URL.Path + "?code=sent")
	case do == "check" && len(l.asked) == 1 && l.Kind != catalog.TextAnswer:
		if err := c.service.Text.Prove(c.r.Context(), &l.Text, c.r.PostForm.Get("code")); err != nil {
			return c.refuseCode(&l, err)
		}
		if v := l.asked[0].visit; v != nil {
			return c.redirect(views.VisitPath(visitToken(v), c.query.Look()))
		}
		return c.redirect(views.BookingPath(token(&l.asked[0].bookings[0]), c.query.Look()))
	}
	return c.showTextLink(http.StatusBadRequest, &l, "")
}

// refuseCode says why no code is sent, or the one that was typed doesn't go on.
func (c *call) refuseCode(l *textLink, err error) error {
	switch {
	case fault.Is(err, fault.NotFound):
		return c.showTextLink(http.StatusUnprocessableEntity, l, c.locale.T("textlink_code_wrong"))
	case fault.Is(err, fault.Conflict):
		return c.showTextLink(http.StatusConflict, l, c.locale.T("textlink_no_code", "Name", c.setup.Workspace.Name))
	case fault.Is(err, fault.RateLimited):
		return c.showTextLink(http.StatusTooManyRequests, l, c.locale.T("textlink_code_often"))
	}
	return err
}

// answerTextLink notes the answer to the question of the form.
func (c *call) answerTextLink(l *textLink) error {
	of := slices.IndexFunc(l.asked, func(of textLinkOf) bool {
		return of.asks && (len(l.asked) == 1 || of.bookings[0].ID.String() == c.r.PostForm.Get("of"))
	})
	if of < 0 {
		return c.redirect(c.r.URL.Path)
	}
	yes, err := c.comingAnswer()
	if err != nil {
		return err
	}
	ctx, q := c.r.Context(), &l.asked[of]
	if q.visit != nil {
		first := &q.bookings[0]
		a := app.Actor{Kind: booking.ByInvitee, Workspace: l.WorkspaceID, Booking: first.ID, Visit: first.Visit}
		_, err = c.service.AnswerVisitComing(ctx, a, first.Visit.ID.String(), yes, booking.ComingByPage)
	} else {
		for i := range q.bookings {
			b := &q.bookings[i]
			if !c.canAnswer(b) {
				continue
			}
			a := app.Actor{Kind: booking.ByInvitee, Workspace: l.WorkspaceID, Booking: b.ID, Visit: b.Visit}
			if _, err = c.service.AnswerComing(ctx, a, b.ID.String(), yes, booking.ComingByPage); err != nil {
				break
			}
		}
	}
	if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
		return err
	}
	return c.redirect(c.r.URL.Path)
}
