package calcom

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/movein"
)

// asDefault are the fields of every form, which are no questions.
var asDefault = []string{"name", "email", "location", "title", "notes", "guests", "rescheduleReason", "smsReminderNumber",
	"attendeePhoneNumber", "phone", "firstName", "lastName"}

// appointment adds what is booked: of a service with seats one for each who comes.
func (r *reader) appointment(b *booked) {
	leave := func(why fault.Text) {
		who := "–"
		if len(b.attendees) > 0 {
			who = b.attendees[0].name
		}
		r.b.Left = append(r.b.Left, movein.Left{Kind: movein.OfBooking, ID: b.uid, Name: who, Start: instant(b.start), Why: why})
	}
	i := slices.IndexFunc(r.services, func(s service) bool { return s.id == b.service })
	ended := b.status == "cancelled" || b.status == "rejected"
	switch {
	case !ended && b.status != "accepted" && b.status != "pending":
		leave(fault.Textf("it is %q there, neither confirmed nor waiting for that", b.status))
		return
	case i < 0 && !ended:
		leave(fault.Textf("its event type is gone, or not among what is taken over: book it by hand"))
		return
	}
	guests := slices.DeleteFunc(slices.Clone(b.attendees), func(a attendee) bool { return r.userBy(a.email) != nil })
	if len(guests) == 0 {
		guests = b.attendees
	}
	if len(guests) == 0 && !ended {
		leave(fault.Textf("nobody comes to it"))
		return
	}
	a := movein.Appointment{ID: b.uid, Offer: text(b.service), Start: instant(b.start), End: instant(b.end), MadeAt: instant(b.at),
		Pending: b.status == "pending", CancelledThere: ended}
	if len(guests) > 0 {
		a.Person = guests[0].person()
	}
	if ended && i < 0 {
		r.b.Appointments = append(r.b.Appointments, a)
		return
	}
	s := &r.services[i]
	a.Member = text(r.leader(s, b))
	if s.seats < 2 {
		var beside []string
		for _, g := range guests[min(1, len(guests)):] {
			beside = append(beside, strings.TrimSpace(g.name+" "+g.email))
		}
		r.fill(&a, s, b, guests, b.answers, beside)
		r.b.Appointments = append(r.b.Appointments, a)
		return
	}
	for i, g := range guests {
		one := a
		if g.seat != "" {
			one.ID = b.uid + "#" + g.seat
		} else if i > 0 {
			one.ID = fmt.Sprint(b.uid, "#", i+1)
		}
		answers := g.answers
		if answers == nil && len(guests) == 1 {
			answers = b.answers
		}
		r.fill(&one, s, b, guests[i:i+1], answers, nil)
		r.b.Appointments = append(r.b.Appointments, one)
	}
}

func (r *reader) userBy(email string) *user {
	if i := slices.IndexFunc(r.users, func(u user) bool { return strings.EqualFold(u.email, email) }); i >= 0 {
		return &r.users[i]
	}
	return nil
}

// leader returns whose appointment it is: of some who take turns beside others who always come, the one of them.
func (r *reader) leader(s *service, b *booked) int64 {
	turn := func(id int64) bool {
		return slices.ContainsFunc(s.hosts, func(h host) bool { return h.user == id && !h.fixed })
	}
	if s.scheduling != "collective" && !turn(b.user) {
		for _, a := range b.attendees {
			if u := r.userBy(a.email); u != nil && turn(u.id) {
				return u.id
			}
		}
	}
	return b.user
}

// fill adds what is said of an appointment.
func (r *reader) fill(a *movein.Appointment, s *service, b *booked, guests []attendee, answers map[string]any, beside []string) {
	a.Answers = map[string]any{}
	var note []string
	add := func(what, value string) {
		if value = strings.TrimSpace(value); value != "" {
			note = append(note, what+": "+value)
		}
	}
	if len(guests) > 0 {
		a.Person = guests[0].person()
	}
	keys := r.keys[s.id]
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		value := answers[name]
		switch key, asked := keys[name]; {
		case name == "notes":
			a.Notes = said(value)
		case name == "attendeePhoneNumber" || name == "smsReminderNumber" || name == "phone":
			a.Person.Phone = cmp.Or(a.Person.Phone, said(value))
		case slices.Contains(asDefault, name):
		case asked && value != nil:
			if yes, is := value.(bool); is {
				a.Answers[key] = yes
			} else if text := said(value); text != "" {
				a.Answers[key] = text
			}
		default:
			add(name, said(value))
		}
	}
	if a.Notes == "" {
		a.Notes = b.about
	}
	add("With", strings.Join(beside, ", "))
	add("Meeting", b.meeting)
	if !strings.HasPrefix(b.location, "integrations:") && b.location != b.meeting {
		add("Where", b.location)
	}
	add("Paid at Cal.com", b.paid)
	if b.series {
		note = append(note, "One date of a series at Cal.com")
	}
	a.InternalNote = strings.Join(note, "\n")
	if a.Person.Name == "" {
		a.Person.Name = cmp.Or(a.Person.Email, a.Person.Phone)
	}
}

// said returns an answer as a text.
func said(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var all []string
		for _, x := range v {
			if text := said(x); text != "" {
				all = append(all, text)
			}
		}
		return strings.Join(all, ", ")
	case map[string]any:
		if first, last := said(v["firstName"]), said(v["lastName"]); first+last != "" {
			return strings.TrimSpace(first + " " + last)
		}
		return cmp.Or(said(v["optionValue"]), said(v["value"]), said(v["label"]))
	}
	return ""
}
