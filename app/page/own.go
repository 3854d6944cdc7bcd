package page

import (
	"net/http"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/mail"
	"daybook/app/own"
	"daybook/app/when"
	"daybook/views"
)

// The pages of one's own are the only ones with a cookie. It is sent with no request that another site makes
// (SameSite=Lax, and Door.guard), and counts for no page in a frame, so that nothing can be done by it but by who
// holds the device.

// How much of each list a page has.
const (
	ownUpcoming = 50
	ownPast     = 20
	filesAnHour = 20 // files of what is kept, that a network address loads
)

// enterOwn finds the workspace, and whose page is open.
func (c *call) enterOwn() error {
	c.own, c.framable, c.personal = true, false, true
	return c.enter()
}

// ownPage shows the page of one's own, or asks for a link to it.
func ownPage(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	if c.actor.Contact == 0 {
		return c.askOwn(http.StatusOK, views.OwnAskPage{})
	}
	return c.showOwn()
}

// askOwn shows the form that asks for a link, or what was answered to it.
func (c *call) askOwn(status int, p views.OwnAskPage) error {
	p.Page, p.Action = c.page(), views.OwnPath(c.slug(), c.query.Look())
	p.Title = c.locale.T("own_title")
	f := &p.Address
	f.Name, f.Kind, f.Label, f.Required = addressField, views.Text, c.locale.T("own_address"), true
	f.Hint, f.Autocomplete = c.locale.T("own_address_hint"), "email"
	if p.Texts = c.setup.Workspace.Texts; p.Texts {
		f.Hint = c.locale.T("own_address_hint_texts")
	}
	route, err := c.service.Mail.MailRoute(c.r.Context(), c.setup.Workspace.ID)
	if err != nil {
		return err
	}
	p.Sends = route != nil || p.Texts
	return c.show(status, views.OwnAskView(p))
}

const addressField = "address"

// sendOwn asks for a link. What it answers doesn't depend on whether anybody has the address.
func sendOwn(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	if c.elsewhereSent() {
		return c.askOwn(http.StatusForbidden, views.OwnAskPage{Problem: c.locale.T("own_elsewhere")})
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	address := c.r.PostForm.Get(addressField)
	err := c.service.Own.Ask(c.r.Context(), c.setup, own.Asked{Address: address, Locale: c.locale.Tag, From: c.clientIP(c.r.Context())})
	if e := fault.As(err); e != nil && e.Code == fault.BadRequest {
		return c.askOwn(http.StatusUnprocessableEntity, views.OwnAskPage{Address: views.Field{Value: address, Error: c.locale.T("own_address_wrong")}})
	}
	if err != nil {
		return err
	}
	return c.askOwn(http.StatusAccepted, views.OwnAskPage{Asked: true})
}

// ownLink asks whether to open the page by a link. It opens nothing itself: programs follow the links of mails.
func ownLink(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	err := c.service.Own.Waits(c.r.Context(), c.setup, c.r.PathValue("token"))
	if err != nil {
		return c.ownEnded(err)
	}
	p := views.OwnOpenPage{Page: c.page(), Action: views.OwnLinkPath(c.slug(), c.r.PathValue("token"), c.query.Look())}
	p.Title = c.locale.T("own_open_title")
	return c.show(http.StatusOK, views.OwnOpenView(p))
}

// ownEnded answers a link that can't be opened: who has opened the page by it here, perhaps a moment ago, is led there.
func (c *call) ownEnded(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	if c.actor.Contact != 0 {
		return c.redirect(views.OwnPath(c.slug(), c.query.Look()))
	}
	return c.askOwn(http.StatusNotFound, views.OwnAskPage{Problem: c.locale.T("own_ended")})
}

// openOwn opens the page on this device.
func openOwn(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	if c.elsewhereSent() {
		return c.askOwn(http.StatusForbidden, views.OwnAskPage{Problem: c.locale.T("own_elsewhere")})
	}
	device, err := c.service.Own.Open(c.r.Context(), c.setup, c.r.PathValue("token"))
	if err != nil {
		return c.ownEnded(err)
	}
	if c.actor.Contact != 0 { // the device is no longer theirs
		if err := c.service.Own.Leave(c.r.Context(), c.actor, c.cookie()); err != nil {
			return err
		}
	}
	c.setCookie(device, int(own.DeviceLife.Seconds()))
	return c.redirect(views.OwnPath(c.slug(), c.query.Look()))
}

// leaveOwn closes the page on this device, or on all.
func leaveOwn(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	if c.elsewhereSent() {
		return c.askOwn(http.StatusForbidden, views.OwnAskPage{Problem: c.locale.T("own_elsewhere")})
	}
	if c.actor.Contact != 0 {
		leave := func() error { return c.service.Own.Leave(c.r.Context(), c.actor, c.cookie()) }
		if c.r.PostFormValue("all") != "" {
			leave = func() error { return c.service.Own.LeaveAll(c.r.Context(), c.actor) }
		}
		if err := leave(); err != nil {
			return err
		}
	}
	c.setCookie("", -1)
	return c.redirect(views.OwnPath(c.slug(), c.query.Look()))
}

// backToOwn leads whoever reloads the address of a button to the page.
func backToOwn(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	return c.redirect(views.OwnPath(c.slug(), c.query.Look()))
}

// ownFile sends the file of what is kept of the person.
func ownFile(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	ctx := c.r.Context()
	if _, err := c.service.Own.Contact(ctx, c.actor); err != nil {
		return c.ownEnded(err)
	}
	from := gate.Client{Address: c.clientIP(ctx), Most: filesAnHour, What: "own file"}
	if err := c.service.Gate.Count(ctx, from); err != nil {
		return err
	}
	c.headers()
	c.w.Header().Set("Content-Type", "application/json")
	c.w.Header().Set("Content-Disposition", `attachment; filename="`+c.slug()+`-my-data.json"`)
	if c.r.Method == http.MethodHead {
		return nil
	}
	if err := c.service.Privacy.ExportOwn(ctx, c.actor, c.w); err != nil {
		c.log.ErrorContext(ctx, "a file was cut short", "route", c.r.Pattern, "error", err.Error())
		panic(http.ErrAbortHandler) // else it would look whole
	}
	return nil
}

// ownReceipt shows a receipt, as the mail with it does.
func ownReceipt(c *call) error {
	if err := c.enterOwn(); err != nil {
		return err
	}
	if c.actor.Contact == 0 {
		return c.askOwn(http.StatusOK, views.OwnAskPage{})
	}
	r, err := c.service.Own.OwnReceipt(c.r.Context(), c.actor, c.r.PathValue("receipt"))
	if err != nil {
		return err
	}
	content := mail.ReceiptPage(&r, c.locale, c.setup.Zone)
	p := views.OwnReceiptPage{Page: c.page(), Heading: content.Heading, Text: content.Text, Note: content.Note,
		Facts: content.Facts, Bill: content.Bill, BackURL: views.OwnPath(c.slug(), c.query.Look())}
	p.Title = p.Heading
	return c.show(http.StatusOK, views.OwnReceiptView(p))
}

// ownURL returns the page of one's own, for a page that leads there: none within another site or in a preview does.
func (c *call) ownURL() string {
	if c.query.Embed != "" || c.draft != nil {
		return ""
	}
	return views.OwnPath(c.slug(), c.query.Look())
}

// showOwn shows the page: the upcoming bookings and the latest past ones, or what follows in one of the lists.
func (c *call) showOwn() error {
	ctx, look := c.r.Context(), c.query.Look()
	who, err := c.service.Own.Contact(ctx, c.actor)
	if err != nil {
		return err
	}
	p := views.OwnPage{Page: c.page(), Name: who.Name, Email: who.Email, Phone: who.Phone, Until: c.local(c.ownUntil),
		BackURL: views.OwnPath(c.slug(), look), FileURL: views.OwnFilePath(c.slug()), LeaveURL: views.OwnLeavePath(c.slug(), look)}
	p.Title = c.locale.T("own_title")
	if p.Devices, err = c.service.Own.Devices(ctx, c.actor); err != nil {
		return err
	}
	later, more := c.r.URL.Query().Get("later"), c.r.URL.Query().Get("earlier")
	p.First = later == "" && more == ""
	if more == "" {
		page, err := c.service.Own.OwnBookings(ctx, c.actor, own.ListInput{Limit: ownUpcoming, Cursor: later})
		if err != nil {
			return err
		}
		for i := range page.Data {
			p.Upcoming = append(p.Upcoming, c.ownBooking(&page.Data[i]))
		}
		p.LaterURL = c.ownList("later", page.NextCursor)
	}
	if later == "" {
		page, err := c.service.Own.OwnBookings(ctx, c.actor, own.ListInput{Past: true, Limit: ownPast, Cursor: more})
		if err != nil {
			return err
		}
		for i := range page.Data {
			b := c.ownBooking(&page.Data[i])
			year := b.Start.Format("2006")
			if n := len(p.Years); n == 0 || p.Years[n-1].Year != year {
				p.Years = append(p.Years, views.OwnYear{Year: year})
			}
			y := &p.Years[len(p.Years)-1]
			y.Bookings = append(y.Bookings, b)
		}
		p.MoreURL = c.ownList("earlier", page.NextCursor)
	}
	return c.show(http.StatusOK, views.OwnView(p))
}

// ownList returns the address at which a list goes on; "" where it doesn't.
func (c *call) ownList(name string, cursor *string) string {
	if cursor == nil {
		return ""
	}
	at := views.OwnPath(c.slug(), c.query.Look())
	sign := "?"
	if strings.Contains(at, "?") {
		sign = "&"
	}
	return at + sign + name + "=" + *cursor
}

// ownBooking returns a booking, or a visit, as the page lists it.
func (c *call) ownBooking(i *own.Item) views.OwnBooking {
	b, look := &i.Booking, c.query.Look()
	v := views.OwnBooking{URL: views.BookingPath(token(b), look), Changes: c.changeable(b) && c.notOver(b), Hosts: []string{b.Host.Name}}
	event, start, end := c.bookedView(b), b.Start, b.End
	of := []booking.Booking{*b}
	if i.Visit != nil {
		event, start, end, of = c.visitView(i.Visit), i.Visit.Start, i.Visit.End, i.Visit.Items
		v.URL, v.Hosts = views.VisitPath(visitToken(i.Visit), look), event.Hosts
		live := i.Visit.Live()
		v.Changes = len(live) > 0 && c.lateOf(live) == nil && i.Visit.End > when.At(c.service.Now())
	}
	v.Title, v.Status = event.Title, ownStatus(of)
	zone := c.setup.Zone
	if z, ok := catalog.Zone(b.Invitee.TimeZone); ok && !bookedInPerson(b) && b.Invitee.TimeZone != c.setup.Workspace.TimeZone {
		zone = z
		v.Zone = views.ZoneLabel(zone, start.Time().In(zone))
	}
	v.Start, v.End = start.Time().In(zone), end.Time().In(zone)
	if e := c.setup.EventTypeByID(b.EventTypeID); i.Visit != nil {
		v.AgainURL = views.IndexPath(c.slug(), look)
	} else if e != nil && e.Listed() {
		v.AgainURL = views.EventPath(c.slug(), e.Slug, look)
	}
	for k := range i.Receipts {
		r := &i.Receipts[k]
		v.Receipts = append(v.Receipts, views.Link{Label: c.receiptName(r), URL: views.OwnReceiptPath(c.slug(), r.ID.String(), look)})
	}
	return v
}

func (c *call) notOver(b *booking.Booking) bool { return b.End > when.At(c.service.Now()) }

func (c *call) receiptName(r *counter.Receipt) string {
	if r.Reverses != nil {
		return c.locale.T("till_reversal_number", "Number", r.Number)
	}
	return c.locale.T("till_receipt_number", "Number", r.Number)
}

// ownStatus says what is to be said of a booking, or of a visit as a whole.
func ownStatus(of []booking.Booking) string {
	cancelled, missed, status := 0, 0, ""
	for i := range of {
		b := &of[i]
		switch {
		case b.Status == booking.Cancelled:
			cancelled++
		case b.Status == booking.NoShow:
			missed++
		case b.Status == booking.Pending && b.PendingReason != nil && *b.PendingReason == booking.ForPayment:
			status = views.OwnUnpaid
		case b.Status == booking.Pending && status == "":
			status = views.OwnPending
		}
	}
	switch {
	case status != "":
		return status
	case cancelled == len(of):
		return views.OwnCancelled
	case cancelled+missed == len(of):
		return views.OwnNoShow
	}
	return ""
}
