package app

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
)

// ExportAll writes all that the workspace has as a ZIP of texts: the set-up as `workspace apply` reads it, the settings,
// and a line of JSON for each contact, booking (with its history), member, key and webhook endpoint. Passwords, keys and
// secrets are not in it. It is read a few hundred rows at a time while the workspace is in use, so what changes
// meanwhile may be in it or not. The error is forbidden.
func (s *Service) ExportAll(ctx context.Context, a Actor, to io.Writer) error {
	if err := a.needs(OwnerRole); err != nil {
		return err
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return err
	}
	e := &exporter{s: s, ctx: ctx, a: a, setup: setup, zip: zip.NewWriter(to)}
	for _, part := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"setup.yaml", e.setupFile}, {"settings.json", e.settings}, {"contacts.jsonl", e.contacts}, {"contacts.csv", e.contactsCSV}, {"bookings.jsonl", e.bookings},
		{"members.jsonl", e.members}, {"keys.jsonl", e.keys}, {"webhooks.jsonl", e.webhooks},
	} {
		file, err := e.zip.Create(part.name)
		if err != nil {
			return err
		}
		if err := part.write(file); err != nil {
			return err
		}
	}
	return e.zip.Close()
}

type exporter struct {
	s     *Service
	ctx   context.Context
	a     Actor
	setup *Setup
	zip   *zip.Writer
}

func (e *exporter) setupFile(to io.Writer) error {
	doc, err := e.s.ExportSetup(e.setup.Workspace.Slug)
	if err != nil {
		return err
	}
	text, err := doc.YAML()
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return err
}

func (e *exporter) settings(to io.Writer) error {
	return json.NewEncoder(to).Encode(struct {
		Workspace
		Settings Settings `json:"settings"`
	}{e.setup.Workspace, e.setup.Workspace.Settings})
}

func (e *exporter) contacts(to io.Writer) error {
	out := json.NewEncoder(to)
	for after := ContactID(0); ; {
		rows, err := e.s.reader(e.ctx).Contacts(e.a.Workspace, "", after, exportStep)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := out.Encode(&rows[i]); err != nil {
				return err
			}
			after = rows[i].ID
		}
		if len(rows) < exportStep {
			return nil
		}
	}
}

func (e *exporter) contactsCSV(to io.Writer) error { return e.s.ExportContacts(e.ctx, e.a, to) }

// bookings are all of them, by their start. The links of invitees are left out: who has one may cancel.
func (e *exporter) bookings(to io.Writer) error {
	f := BookingFilter{Limit: exportStep}
	var line []byte
	for {
		rows, err := e.s.reader(e.ctx).Bookings(e.a.Workspace, f)
		if err != nil {
			return err
		}
		for i := range rows {
			b := &rows[i]
			e.s.present(e.setup, Actor{ReadOnly: true}, b)
			history, err := e.s.reader(e.ctx).History(b.ID)
			if err != nil {
				return err
			}
			if line, err = b.appendMembers(append(line[:0], '{')); err != nil {
				return err
			}
			line = append(append(append(line, `,"contactId":"`...), b.ContactID.String()...), `","history":`...)
			past, err := json.Marshal(history)
			if err != nil {
				return err
			}
			if _, err := to.Write(append(append(line, past...), '}', '\n')); err != nil {
				return err
			}
			f.After, f.AfterID = b.Start, b.ID
		}
		if len(rows) < exportStep {
			return nil
		}
	}
}

func (e *exporter) members(to io.Writer) error {
	rows, err := e.s.Members(e.ctx, e.a)
	return encodeAll(to, rows, err)
}

func (e *exporter) keys(to io.Writer) error {
	rows, err := e.s.Keys(e.a.Workspace)
	return encodeAll(to, rows, err)
}

func (e *exporter) webhooks(to io.Writer) error {
	rows, err := e.s.Endpoints(e.ctx, e.a)
	return encodeAll(to, rows, err)
}

func encodeAll[T any](to io.Writer, rows []T, err error) error {
	out := json.NewEncoder(to)
	for i := 0; i < len(rows) && err == nil; i++ {
		err = out.Encode(&rows[i])
	}
	return err
}
