package transfer_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/subjects"
	"daybook/app/when"
)

// offers is what a salon has besides of money, links, pictures and rooms: a hidden service with a picture that needs one
// of two basins, of which a deposit and the card for a late cancellation were taken, and links to it.
type offers struct {
	standIn *stripetest.Server
	owner   app.Actor
	service string              // its slug
	link    string              // the token of a link with two uses, one of which is taken
	own     string              // the id of a link that was mailed
	booking string              // what was booked by the link, as the API shows it, less its links
	id      booking.BookingID   // of that
	starts  []availability.Slot // when more can be booked
	files   map[string]string   // the export of pictures and links
}

func (o *offers) fill(t *testing.T, set *subjects.Set) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	w, err := set.WorkspaceBySlug(ctx, "demo")
	must(err)
	o.standIn, o.owner = stripetest.New(t), app.Operator(w.ID)
	o.standIn.Now = func() time.Time { return today }
	set.Payment.SetProvider(stripe.New(o.standIn.URL))
	_, err = set.Payment.ConnectPayments(ctx, o.owner,
		payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	must(err)
	drawn := image.NewRGBA(image.Rect(0, 0, 400, 300))
	for x := range 400 {
		for y := range 300 {
			drawn.Set(x, y, color.RGBA{uint8(x), uint8(y), 90, 255})
		}
	}
	var file bytes.Buffer
	must(png.Encode(&file, drawn))
	picture, _, err := set.Pictures.Upload(ctx, o.owner, file.Bytes())
	must(err)
	setup, err := set.Setup(w.ID)
	must(err)
	o.service = "colour"
	e := *setup.EventType(o.service)
	e.Hidden, e.Picture, e.Payment, e.Deposit = true, picture.ID, catalog.PayOnSite, &catalog.Deposit{Percent: 20}
	e.NoShowFee, e.LateCancellationFee, e.CancellationNoticeMinutes = nil, &money.Money{Amount: 2000, Currency: e.Price.Currency}, 7*24*60
	e.RequiresApproval = false
	need := catalog.Need{During: catalog.DuringAll}
	for _, name := range []string{"Basin 1", "Basin 2"} {
		basin, err := set.Shop.AddResource(ctx, o.owner, catalog.Resource{Name: name, Kind: catalog.Equipment,
			TimeOff: []catalog.TimeOff{{Start: when.At(today), End: when.At(today.Add(time.Minute))}}})
		must(err)
		need.OneOf = append(need.OneOf, basin.ID)
	}
	e.Needs = []catalog.Need{need}
	_, err = set.Shop.SaveEventType(ctx, o.owner, e)
	must(err)
	two := 2
	link, err := set.Invitation.CreateInvitation(ctx, o.owner, invitation.Input{EventType: o.service, Uses: &two})
	must(err)
	o.link = link.URL[strings.LastIndexByte(link.URL, '/')+1:]
	mailed, err := set.Invitation.CreateInvitation(ctx, o.owner, invitation.Input{EventType: o.service, Email: "mia@mail.example"})
	must(err)
	o.own = mailed.ID.String()
	open, err := set.Availability(ctx, o.owner, availability.Input{EventType: o.service, Days: new(30)})
	must(err)
	starts := open.Slots()
	if len(starts) < 3 {
		t.Fatalf("%d open times", len(starts))
	}
	b, err := o.book(t, set, starts[0], "eva")
	must(err)
	_, err = set.Hold(ctx, o.owner, app.HoldInput{EventType: o.service, Start: starts[len(starts)/2].Start.String()})
	must(err)
	o.id, o.starts = b.ID, starts[len(starts)-2:]
	token := b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:]
	page, err := set.Payment.CheckoutURL(ctx, token)
	must(err)
	o.standIn.Pay(t, page[strings.LastIndexByte(page, '/')+1:], stripetest.Good)
	_, err = set.Payment.CheckoutDone(ctx, token)
	must(err)
	o.booking, o.files = o.shown(t, set), o.exported(t, set)
	if !strings.Contains(o.booking, `"status":"confirmed"`) || !strings.Contains(o.booking, `"lateCancellationFee":{"amount":2000,`) ||
		!strings.Contains(o.booking, `"deposit":{`) || !strings.Contains(o.booking, `"resources":[{"id":"rs_`) || len(o.files) < 3 {
		t.Fatalf("booked %s, exported %d files", o.booking, len(o.files))
	}
}

// book books by the link, as a visitor.
func (o *offers) book(t *testing.T, set *subjects.Set, at availability.Slot, person string) (booking.Booking, error) {
	t.Helper()
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: o.owner.Workspace}
	return set.Book(t.Context(), visitor, booking.BookInput{EventType: o.service, Start: at.Start.String(), Invitation: o.link,
		Invitee: booking.Invitee{Name: person, Email: person + "@mail.example", Phone: "+49 30 901820"}})
}

func (o *offers) shown(t *testing.T, set *subjects.Set) string {
	t.Helper()
	b, err := set.Booking(t.Context(), o.owner, o.id.String())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exported are the exported files of pictures and links, by name.
func (o *offers) exported(t *testing.T, set *subjects.Set) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := set.Report.ExportAll(t.Context(), o.owner, false, &out); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		if !strings.HasPrefix(f.Name, "pictures") && f.Name != "invitations.jsonl" && f.Name != "setup.yaml" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// work checks that in a copy the booking, its deposit and its card are what they were, as are the pictures and the
// links: one use is left, a link is mailed again, and the fee is charged to the card.
func (o *offers) work(t *testing.T, set *subjects.Set) {
	t.Helper()
	ctx := t.Context()
	set.Payment.SetProvider(stripe.New(o.standIn.URL))
	if got := o.shown(t, set); got != o.booking {
		t.Errorf("the booking is\n%s, it was\n%s", got, o.booking)
	}
	files := o.exported(t, set)
	for name, want := range o.files {
		if got := files[name]; got != want {
			t.Errorf("%s is %q, it was %q", name, got, want)
		}
	}
	if _, err := o.book(t, set, o.starts[0], "bo"); err != nil {
		t.Errorf("by the link: %v", err)
	}
	_, err := o.book(t, set, o.starts[1], "cy")
	if e := fault.As(err); e == nil || e.Code != fault.NotFound || e.Reason != "invitation_used" {
		t.Errorf("by the link that is used up: %v", err)
	}
	if q, err := set.Invitation.ResendInvitation(ctx, o.owner, o.own); err != nil || q.To != "mia@mail.example" {
		t.Errorf("mailed again: %+v, %v", q, err)
	}
	o.standIn.ForgetKeys() // each copy charges for itself
	b, err := set.Cancel(ctx, o.owner, o.id.String(), app.CancelInput{ChargeLateFee: true})
	if err != nil || b.Cancellation.Fee == nil || b.Cancellation.Fee.Amount != 2000 {
		t.Fatalf("cancelled: %+v, %v", b.Cancellation, err)
	}
	for n := 1; n > 0; { // those of a booking are done one after the other
		jobs, err := set.Payment.ClaimPaymentJobs(ctx, 10, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			if err := set.Payment.RunPaymentJob(ctx, j); err != nil {
				t.Error(err)
			}
		}
		n = len(jobs)
	}
	b, err = set.Booking(ctx, o.owner, o.id.String())
	if err != nil || b.Cancellation.Fee.Status != "succeeded" {
		t.Errorf("charged: %+v, %v", b.Cancellation.Fee, err)
	}
}
