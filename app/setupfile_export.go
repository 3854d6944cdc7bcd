package app

import (
	"bytes"
	"fmt"

	"gopkg.in/yaml.v3"
)

// SetupDocument is a workspace's set-up in full, as ExportSetup writes it and ParseSetup reads it.
type SetupDocument struct {
	Workspace  WorkspaceDocument   `json:"workspace" yaml:"workspace"`
	Hosts      []HostDocument      `json:"hosts" yaml:"hosts"`
	EventTypes []EventTypeDocument `json:"eventTypes" yaml:"eventTypes"`
}

// WorkspaceDocument is the workspace itself in a SetupDocument.
type WorkspaceDocument struct {
	ID       string `json:"id" yaml:"id"`
	Slug     string `json:"slug" yaml:"slug"`
	Name     string `json:"name" yaml:"name"`
	TimeZone string `json:"timeZone" yaml:"timeZone"`
	Currency string `json:"currency" yaml:"currency"`
}

// HostDocument is a host in a SetupDocument.
type HostDocument struct {
	ID        string             `json:"id" yaml:"id"`
	Name      string             `json:"name" yaml:"name"`
	Email     string             `json:"email" yaml:"email"`
	TimeZone  string             `json:"timeZone" yaml:"timeZone"`
	Active    bool               `json:"active" yaml:"active"`
	Weekly    WeeklyDocument     `json:"weekly" yaml:"weekly"`
	Overrides []OverrideDocument `json:"overrides" yaml:"overrides"`
	TimeOff   []TimeOffDocument  `json:"timeOff" yaml:"timeOff"`
}

// WeeklyDocument is a week's hours; a day that is closed is an empty list, never left out.
type WeeklyDocument struct {
	Mon []string `json:"mon" yaml:"mon,flow"`
	Tue []string `json:"tue" yaml:"tue,flow"`
	Wed []string `json:"wed" yaml:"wed,flow"`
	Thu []string `json:"thu" yaml:"thu,flow"`
	Fri []string `json:"fri" yaml:"fri,flow"`
	Sat []string `json:"sat" yaml:"sat,flow"`
	Sun []string `json:"sun" yaml:"sun,flow"`
}

// OverrideDocument is an Override in a SetupDocument.
type OverrideDocument struct {
	Date  string   `json:"date" yaml:"date"`
	Hours []string `json:"hours" yaml:"hours,flow"`
}

// TimeOffDocument is a TimeOff in a SetupDocument.
type TimeOffDocument struct {
	Start  string `json:"start" yaml:"start"`
	End    string `json:"end" yaml:"end"`
	Reason string `json:"reason,omitempty" yaml:"reason,omitempty"`
}

// EventTypeDocument is an event type in a SetupDocument.
type EventTypeDocument struct {
	ID                        string     `json:"id" yaml:"id"`
	Slug                      string     `json:"slug" yaml:"slug"`
	Title                     string     `json:"title" yaml:"title"`
	Description               string     `json:"description" yaml:"description"`
	Location                  string     `json:"location" yaml:"location"`
	DurationMinutes           int        `json:"durationMinutes" yaml:"durationMinutes"`
	Price                     *Money     `json:"price" yaml:"price,flow"`
	NoShowFee                 *Money     `json:"noShowFee" yaml:"noShowFee,flow"`
	Payment                   string     `json:"payment" yaml:"payment"`
	RefundOnCancel            string     `json:"refundOnCancel" yaml:"refundOnCancel"`
	RequiresApproval          bool       `json:"requiresApproval" yaml:"requiresApproval"`
	Hosts                     []string   `json:"hosts" yaml:"hosts,flow"` // e-mail addresses
	Seats                     int        `json:"seats" yaml:"seats"`
	SlotStepMinutes           int        `json:"slotStepMinutes" yaml:"slotStepMinutes"`
	BufferBeforeMinutes       int        `json:"bufferBeforeMinutes" yaml:"bufferBeforeMinutes"`
	BufferAfterMinutes        int        `json:"bufferAfterMinutes" yaml:"bufferAfterMinutes"`
	MinimumNoticeMinutes      int        `json:"minimumNoticeMinutes" yaml:"minimumNoticeMinutes"`
	BookingWindowDays         int        `json:"bookingWindowDays" yaml:"bookingWindowDays"`
	MaxPerDay                 int        `json:"maxPerDay" yaml:"maxPerDay"`
	CancellationNoticeMinutes int        `json:"cancellationNoticeMinutes" yaml:"cancellationNoticeMinutes"`
	ReminderMinutes           []int      `json:"reminderMinutes" yaml:"reminderMinutes,flow"`
	MailsOff                  []MailKind `json:"mailsOff" yaml:"mailsOff,flow"`
	Questions                 []Question `json:"questions" yaml:"questions"`
	Active                    bool       `json:"active" yaml:"active"`
}

// ExportSetup is the set-up of a workspace. Applied again, it changes nothing. The error is not_found.
func (s *Service) ExportSetup(slug string) (SetupDocument, error) {
	w, err := s.WorkspaceBySlug(slug)
	if err != nil {
		return SetupDocument{}, err
	}
	setup, err := s.store.Setup(w.ID)
	if err != nil {
		return SetupDocument{}, err
	}
	d := SetupDocument{Workspace: workspaceDocument(&setup.Workspace), Hosts: []HostDocument{}, EventTypes: []EventTypeDocument{}}
	for i := range setup.Hosts {
		d.Hosts = append(d.Hosts, hostDocument(&setup.Hosts[i]))
	}
	for i := range setup.EventTypes {
		d.EventTypes = append(d.EventTypes, eventTypeDocument(&setup.EventTypes[i], emailsOf(setup.Hosts)))
	}
	return d, nil
}

// YAML is the document as text.
func (d SetupDocument) YAML() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The set-up of %s. Change it and apply it with: daybook workspace apply FILE\n", d.Workspace.Slug)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(d)
	return b.Bytes(), err
}

func workspaceDocument(w *Workspace) WorkspaceDocument {
	return WorkspaceDocument{w.ID.String(), w.Slug, w.Name, w.TimeZone, w.Currency}
}

func hostDocument(h *Host) HostDocument {
	d := HostDocument{
		ID: h.ID.String(), Name: h.Name, Email: h.Email, TimeZone: h.TimeZone, Active: h.Active,
		Overrides: []OverrideDocument{}, TimeOff: []TimeOffDocument{},
	}
	for name, to := range map[string]*[]string{
		"mon": &d.Weekly.Mon, "tue": &d.Weekly.Tue, "wed": &d.Weekly.Wed, "thu": &d.Weekly.Thu, "fri": &d.Weekly.Fri, "sat": &d.Weekly.Sat, "sun": &d.Weekly.Sun,
	} {
		*to = append([]string{}, h.Weekly[name]...)
	}
	for _, o := range h.Overrides {
		d.Overrides = append(d.Overrides, OverrideDocument{o.Date, append([]string{}, o.Hours...)})
	}
	for _, t := range h.TimeOff {
		d.TimeOff = append(d.TimeOff, TimeOffDocument{t.Start.String(), t.End.String(), t.Reason})
	}
	return d
}

func eventTypeDocument(e *EventType, emails map[HostID]string) EventTypeDocument {
	d := EventTypeDocument{
		ID: e.ID.String(), Slug: e.Slug, Title: e.Title, Description: e.Description, Location: e.Location,
		DurationMinutes: e.DurationMinutes, Price: e.Price, NoShowFee: e.NoShowFee,
		Payment: string(e.Payment), RefundOnCancel: string(e.RefundOnCancel), RequiresApproval: e.RequiresApproval,
		Hosts: []string{}, Seats: e.Seats, SlotStepMinutes: e.SlotStepMinutes,
		BufferBeforeMinutes: e.BufferBeforeMinutes, BufferAfterMinutes: e.BufferAfterMinutes,
		MinimumNoticeMinutes: e.MinimumNoticeMinutes, BookingWindowDays: e.BookingWindowDays, MaxPerDay: e.MaxPerDay,
		CancellationNoticeMinutes: e.CancellationNoticeMinutes, ReminderMinutes: append([]int{}, e.ReminderMinutes...), MailsOff: append([]MailKind{}, e.MailsOff...), Questions: append([]Question{}, e.Questions...), Active: e.Active,
	}
	for _, h := range e.Hosts {
		d.Hosts = append(d.Hosts, emails[h.ID])
	}
	return d
}

func emailsOf(hosts []Host) map[HostID]string {
	emails := map[HostID]string{}
	for _, h := range hosts {
		emails[h.ID] = h.Email
	}
	return emails
}
