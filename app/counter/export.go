package counter

import (
	"context"
	"encoding/json"
	"io"

	"daybook/app"
)

// ExportReceipts writes all receipts and reversals, a line of JSON each, the oldest first. Errors: forbidden.
func (s *Service) ExportReceipts(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	f := ReceiptFilter{Limit: app.ExportStep, OldestFirst: true}
	return export(to, func() ([]Receipt, error) {
		rows, err := s.Reader(ctx).Receipts(a.Workspace, f)
		if len(rows) > 0 {
			f.From = rows[len(rows)-1].ID + 1
		}
		return rows, err
	})
}

// ExportLedger writes all money that was taken and given back at the counter, a line of JSON each, the oldest first.
// The error is forbidden.
func (s *Service) ExportLedger(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	var last Entry
	return export(to, func() ([]Entry, error) {
		rows, err := s.Reader(ctx).CounterEntries(a.Workspace, last.At, last.ID, app.ExportStep)
		if len(rows) > 0 {
			last = rows[len(rows)-1]
		}
		return rows, err
	})
}

// ExportDayCloses writes all counts of the cash, a line of JSON each, the oldest first. The error is forbidden.
func (s *Service) ExportDayCloses(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	type line struct {
		Day string `json:"day"`
		DayClose
	}
	var last DayClose
	return export(to, func() (lines []line, err error) {
		rows, err := s.Reader(ctx).AllDayCloses(a.Workspace, last.Day, last.ID, app.ExportStep)
		for _, x := range rows {
			lines, last = append(lines, line{x.Day, x}), x
		}
		return lines, err
	})
}

// export writes what next returns, until it is nothing.
func export[T any](to io.Writer, next func() ([]T, error)) error {
	out := json.NewEncoder(to)
	for {
		rows, err := next()
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			if err := out.Encode(&rows[i]); err != nil {
				return err
			}
		}
	}
}
