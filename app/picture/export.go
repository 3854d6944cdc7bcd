package picture

import (
	"context"
	"encoding/json"
	"io"

	"daybook/app"
	"daybook/app/catalog"
)

// ExportPictures writes a line of JSON for each of the workspace's pictures, the newest first. Errors: forbidden.
func (s *Service) ExportPictures(ctx context.Context, a app.Actor, to io.Writer) error {
	out := json.NewEncoder(to)
	return s.each(ctx, a, func(p *catalog.Picture) error { return out.Encode(s.present(p)) })
}

// ExportFiles writes the widest size of each of the workspace's pictures, in a file named by its id. The error is
// forbidden.
func (s *Service) ExportFiles(ctx context.Context, a app.Actor, add func(name string) (io.Writer, error)) error {
	return s.each(ctx, a, func(p *catalog.Picture) error {
		_, data, err := s.Reader(ctx).PictureData(p.Hash, p.Widest().Width)
		if err != nil {
			return gone(err) // deleted meanwhile
		}
		file, err := add(p.ID.String() + "." + p.Format.Extension())
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		return err
	})
}

func (s *Service) each(ctx context.Context, a app.Actor, do func(*catalog.Picture) error) error {
	if err := a.May(app.MayExportAll); err != nil {
		return err
	}
	for before := catalog.PictureID(0); ; {
		rows, err := s.Reader(ctx).Pictures(a.Workspace, before, app.ExportStep)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := do(&rows[i]); err != nil {
				return err
			}
			before = rows[i].ID
		}
		if len(rows) < app.ExportStep {
			return nil
		}
	}
}
