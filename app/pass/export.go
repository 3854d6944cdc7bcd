package pass

import (
	"context"
	"encoding/json"
	"io"

	"daybook/app"
	"daybook/app/when"
)

// exported is a pass with its ledger.
type exported struct {
	Pass
	Entries []Entry `json:"entries"`
}

// ExportPasses writes all passes with their ledgers, a line of JSON each, the latest first. The error is forbidden.
func (s *Service) ExportPasses(ctx context.Context, a app.Actor, to io.Writer) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	r, out, f := s.Reader(ctx), json.NewEncoder(to), Filter{Limit: app.ExportStep}
	for {
		rows, err := r.Passes(a.Workspace, f)
		if err != nil {
			return err
		}
		for i := range rows {
			one := exported{Pass: rows[i]}
			one.Show(when.At(s.Now()))
			if one.Entries, err = r.PassEntries(a.Workspace, one.ID, 0, app.Every); err != nil {
				return err
			}
			if err := out.Encode(one); err != nil {
				return err
			}
		}
		if len(rows) < f.Limit {
			return nil
		}
		f.Before = rows[len(rows)-1].ID
	}
}
