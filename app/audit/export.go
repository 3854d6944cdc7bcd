package audit

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"daybook/app"
)

// each calls do with every entry that in asks for, the newest first, some hundred at a time.
func (s *Service) each(ctx context.Context, a app.Actor, in ListInput, do func(*Entry) error) error {
	f := Filter{Limit: app.ExportStep}
	if err := in.into(&f); err != nil {
		return err
	}
	for {
		rows, err := s.Reader(ctx).AuditEntries(a.Workspace, f)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := do(&rows[i]); err != nil {
				return err
			}
			f.Before = rows[i].ID
		}
		if len(rows) < f.Limit {
			return nil
		}
	}
}

// WriteAuditLog writes all entries, a line of JSON each, the newest first: a part of an export that is logged. The
// error is forbidden.
func (s *Service) WriteAuditLog(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MaySeeAuditLog); err != nil {
		return err
	}
	out := json.NewEncoder(to)
	return s.each(ctx, a, ListInput{}, func(e *Entry) error { return out.Encode(e) })
}

var columns = []string{"at", "by", "door", "actor", "action", "subject", "fields", "from", "to", "count", "device"}

// ExportAuditLog writes the entries that in selects as CSV, regardless of its limit, the newest first, with times in
// the workspace's zone. The export is logged before the first byte is written. Errors: forbidden, bad_request.
func (s *Service) ExportAuditLog(ctx context.Context, a app.Actor, in ListInput, to io.Writer) error {
	if err := a.May(app.MaySeeAuditLog); err != nil {
		return err
	}
	if err := in.into(&Filter{}); err != nil {
		return err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return err
	}
	err = s.Write(ctx, func(tx Tx) error { return Note(tx, s.Now(), a, Entry{Action: LogExported}) })
	if err != nil {
		return err
	}
	out := csv.NewWriter(to)
	if err := out.Write(columns); err != nil {
		return err
	}
	err = s.each(ctx, a, in, func(e *Entry) error {
		count := ""
		if e.Count != 0 {
			count = strconv.Itoa(e.Count)
		}
		return out.Write([]string{e.At.Time().In(setup.Zone).Format(time.RFC3339), string(e.By), string(e.Door), e.Actor,
			string(e.Action), e.Subject, strings.Join(e.Fields, " "), e.From, e.To, count, e.Device})
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}
