package report

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"slices"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Part is one file of an export, or several.
type Part struct {
	Name  string
	Write func(ctx context.Context, a app.Actor, to io.Writer) error
	// Files, if set, writes several files in place of Write: add begins the next one, whose name is appended to Name.
	Files func(ctx context.Context, a app.Actor, add func(name string) (io.Writer, error)) error
	// Health: it is there only where health, signatures and files of customers are asked for.
	Health bool
}

// ExportAll writes everything in the workspace as a ZIP of text files: the set-up as `workspace apply` reads it, the
// settings, and a line of JSON for each contact, booking (with its history), member, key, webhook endpoint, receipt,
// entry of the counter's ledger, day of a host that is over, count of its cash and picture, and the pictures. It has no passwords, keys or secrets.
// A few hundred rows are read at a time while the workspace is in use, so a change that is made meanwhile may or may
// not be in it. The export is logged before the first byte is written. Errors: forbidden.
//
// Only with health it has health entries, consents with what was drawn and who signed, and the photographs and files of
// customers, none of it encrypted; the log has then that it was so.
func (s *Service) ExportAll(ctx context.Context, a app.Actor, health bool, to io.Writer) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	setup, err := s.Core.Setup(a.Workspace)
	if err != nil {
		return err
	}
	err = s.Write(ctx, func(tx Tx) error {
		what := audit.EverythingExported
		if health {
			what = audit.HealthExported
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: what})
	})
	if err != nil {
		return err
	}
	e := &exporter{s: s, ctx: ctx, a: a, setup: setup, zip: zip.NewWriter(to)}
	own := []Part{
		{Name: "settings.json", Write: e.settings}, {Name: "contacts.jsonl", Write: e.contacts},
		{Name: "bookings.jsonl", Write: e.bookings}, {Name: "host-days.jsonl", Write: e.hostDays},
	}
	for _, part := range slices.Concat(own, s.parts) {
		if part.Health && !health {
			continue
		}
		if part.Files != nil {
			add := func(name string) (io.Writer, error) { return e.zip.Create(part.Name + name) }
			if err := part.Files(ctx, a, add); err != nil {
				return err
			}
			continue
		}
		file, err := e.zip.Create(part.Name)
		if err != nil {
			return err
		}
		if err := part.Write(ctx, a, file); err != nil {
			return err
		}
	}
	return e.zip.Close()
}

type exporter struct {
	s     *Service
	ctx   context.Context
	a     app.Actor
	setup *catalog.Setup
	zip   *zip.Writer
}

func (e *exporter) settings(_ context.Context, _ app.Actor, to io.Writer) error {
	return json.NewEncoder(to).Encode(struct {
		catalog.Workspace
		Settings catalog.Settings `json:"settings"`
	}{e.setup.Workspace, e.setup.Workspace.Settings})
}

func (e *exporter) contacts(_ context.Context, _ app.Actor, to io.Writer) error {
	out := json.NewEncoder(to)
	for after := booking.ContactID(0); ; {
		rows, err := e.s.Reader(e.ctx).Contacts(e.a.Workspace, "", after, app.ExportStep)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := out.Encode(&rows[i]); err != nil {
				return err
			}
			after = rows[i].ID
		}
		if len(rows) < app.ExportStep {
			return nil
		}
	}
}

// bookings writes all bookings, by start. It leaves out the links of invitees, because anyone who has one may cancel.
func (e *exporter) bookings(_ context.Context, _ app.Actor, to io.Writer) error {
	f := booking.BookingFilter{Limit: app.ExportStep}
	var line []byte
	for {
		rows, err := e.s.Reader(e.ctx).Bookings(e.a.Workspace, f)
		if err != nil {
			return err
		}
		for i := range rows {
			b := &rows[i]
			e.s.Core.Present(e.setup, app.Actor{ReadOnly: true}, b)
			history, err := e.s.Reader(e.ctx).History(b.WorkspaceID, b.ID)
			if err != nil {
				return err
			}
			if line, err = b.AppendMembers(append(line[:0], '{')); err != nil {
				return err
			}
			contact := ""
			if b.ContactID != 0 {
				contact = b.ContactID.String()
			}
			line = append(append(append(line, `,"contactId":"`...), contact...), `","history":`...)
			past, err := json.Marshal(history)
			if err != nil {
				return err
			}
			if _, err := to.Write(append(append(line, past...), '}', '\n')); err != nil {
				return err
			}
			f.After, f.AfterID = b.Start, b.ID
		}
		if len(rows) < app.ExportStep {
			return nil
		}
	}
}

// hostDays writes when each host was at work on the days that are over, null where that is not known.
func (e *exporter) hostDays(_ context.Context, _ app.Actor, to io.Writer) error {
	type span struct {
		Start when.Instant `json:"start"`
		End   when.Instant `json:"end"`
	}
	type line struct {
		HostID catalog.HostID `json:"hostId"`
		Date   string         `json:"date"`
		Open   []span         `json:"open"`
	}
	r := e.s.Reader(e.ctx)
	for at := (HostDay{}); ; {
		rows, err := r.AllHostDays(e.a.Workspace, at.Host, at.Day, app.ExportStep)
		lines := make([]line, len(rows))
		for i := range rows {
			at = rows[i]
			l := &lines[i]
			if l.HostID, l.Date = at.Host, dateOf(at.Day); at.Known {
				l.Open = []span{}
			}
			for _, s := range at.Open {
				l.Open = append(l.Open, span{when.Instant(s.Start), when.Instant(s.End)})
			}
		}
		if err := Lines(to, lines, err); err != nil || len(rows) < app.ExportStep {
			return err
		}
	}
}

// Lines writes rows as JSON, one per line.
func Lines[T any](to io.Writer, rows []T, err error) error {
	out := json.NewEncoder(to)
	for i := 0; i < len(rows) && err == nil; i++ {
		err = out.Encode(&rows[i])
	}
	return err
}
