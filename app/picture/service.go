package picture

import (
	"context"
	"errors"
	"math"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
}

// New returns the Service over a core.
func New(core *app.Service) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}}
	core.AddDuties(app.Duties{Prune: s.tidy})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}}
}

const (
	maxTotal = 50e6 // bytes of all widths of a workspace's pictures
	maxCount = 2000 // pictures of a workspace: twice what hosts and event types can show
)

// Picture is a picture as the API shows it.
type Picture struct {
	ID        catalog.PictureID `json:"id"`
	URL       string            `json:"url"`
	Width     int               `json:"width"`
	Height    int               `json:"height"`
	Widths    []int             `json:"widths"`
	CreatedAt when.Instant      `json:"createdAt"`
}

func (s *Service) present(p *catalog.Picture) Picture {
	widest := p.Widest()
	shown := Picture{ID: p.ID, URL: s.Core.BaseURL() + p.Path(widest.Width), Width: widest.Width, Height: widest.Height,
		CreatedAt: when.At(p.ID.MadeAt())}
	for _, size := range p.Sizes {
		shown.Widths = append(shown.Widths, size.Width)
	}
	return shown
}

// Upload saves the picture in the file. If the workspace has the same picture already, it returns that one, and made is
// false. Errors: forbidden, payload_too_large, bad_request (not_a_picture, animated, too_many_pixels), conflict
// (too_many_pictures), unavailable (busy).
func (s *Service) Upload(ctx context.Context, a app.Actor, file []byte) (shown Picture, made bool, err error) {
	found, err := s.Convert(ctx, a, file)
	if err != nil {
		return Picture{}, false, err
	}
	return s.Save(ctx, a, found)
}

// Save saves a converted picture. Convert, the slow half of Upload, changes nothing.
func (s *Service) Save(ctx context.Context, a app.Actor, found *Converted) (shown Picture, made bool, err error) {
	if err := a.May(app.MayManagePictures); err != nil {
		return Picture{}, false, err
	}
	if found == nil {
		return Picture{}, false, errNotAPicture
	}
	now := s.Core.Now()
	p := catalog.Picture{ID: id.New[catalog.PictureIDKind](now), WorkspaceID: a.Workspace, Hash: found.hash(),
		Format: found.Format, UploadedAt: when.At(now)}
	for _, w := range found.Widths {
		p.Sizes, p.Bytes = append(p.Sizes, w.Size), p.Bytes+len(w.Data)
	}
	complete := false
	err = s.Write(ctx, func(tx Tx) (err error) {
		complete, err = reserve(tx, &p)
		return err
	})
	if err != nil || complete {
		return s.present(&p), false, err
	}
	for _, w := range found.Widths {
		err := s.Write(ctx, func(tx Tx) error { return tx.InsertPictureWidth(&p, w.Size.Width, w.Data) })
		if err != nil {
			return Picture{}, false, err
		}
	}
	err = s.Write(ctx, func(tx Tx) error { return tx.CompletePicture(&p) })
	return s.present(&p), true, err
}

// reserve counts the picture among the workspace's before its widths are written, so that no two uploads take the same
// space. Where the workspace has it, p becomes that one; complete says that nothing is to be written.
func reserve(tx Tx, p *catalog.Picture) (complete bool, err error) {
	if err := tx.LockWorkspace(p.WorkspaceID); err != nil {
		return false, err
	}
	old, complete, err := tx.PictureByHash(p.WorkspaceID, p.Hash)
	if err == nil { // the widths of one that is not complete are written again: the server was killed, or is at it
		old.UploadedAt = p.UploadedAt
		*p = old
		return complete, tx.TouchPicture(p)
	}
	if !errors.Is(err, fault.ErrNotFound) {
		return false, err
	}
	bytes, count, err := tx.PicturesTotal(p.WorkspaceID)
	if err != nil {
		return false, err
	}
	if bytes+p.Bytes > maxTotal || count >= maxCount {
		return false, fault.Conflictf("too_many_pictures",
			"A workspace has at most 50 MB of pictures, and %d of them. Delete some that are not shown any more; those are "+
				"also deleted by themselves every night.", maxCount)
	}
	return false, tx.InsertPicture(p)
}

// Pictures returns a page of the workspace's pictures, the newest first. Errors: forbidden, bad_request.
func (s *Service) Pictures(ctx context.Context, a app.Actor, limit *int, cursor string) (fault.Page[Picture], error) {
	var none fault.Page[Picture]
	if err := a.May(app.MaySeePictures); err != nil {
		return none, err
	}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return none, err
	}
	list := fault.List{"pictures"}
	var before int64
	if cursor != "" {
		if err := list.Read(cursor, &before); err != nil {
			return none, err
		}
	}
	rows, err := s.Reader(ctx).Pictures(a.Workspace, catalog.PictureID(before), n+1)
	if err != nil {
		return none, err
	}
	all := make([]Picture, len(rows))
	for i := range rows {
		all[i] = s.present(&rows[i])
	}
	return fault.PageOf(all, n, func(p *Picture) string { return list.Cursor(int64(p.ID)) }), nil
}

// Picture returns one of the workspace's pictures. Errors: forbidden, not_found.
func (s *Service) Picture(ctx context.Context, a app.Actor, ref string) (Picture, error) {
	if err := a.May(app.MaySeePictures); err != nil {
		return Picture{}, err
	}
	p, err := find(s.Reader(ctx), a, ref)
	if err != nil {
		return Picture{}, err
	}
	return s.present(&p), nil
}

func find(r Reader, a app.Actor, ref string) (catalog.Picture, error) {
	missing := fault.Missing("picture", ref)
	wanted, err := id.Parse[catalog.PictureIDKind](ref)
	if err != nil {
		return catalog.Picture{}, missing
	}
	p, err := r.Picture(a.Workspace, wanted)
	return p, fault.OrMissing(err, missing)
}

// Delete deletes a picture that nothing shows. Errors: forbidden, not_found, conflict (picture_in_use).
func (s *Service) Delete(ctx context.Context, a app.Actor, ref string) error {
	if err := a.May(app.MayManagePictures); err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		p, err := find(tx, a, ref)
		if err != nil {
			return err
		}
		shown, err := shownIn(tx, a.Workspace)
		if err != nil {
			return err
		}
		if slices.Contains(shown, p.ID) {
			return fault.Conflictf("picture_in_use",
				"This picture is shown as the logo, as a photo, or as that of a host, an event type or a product. Choose another one there first.")
		}
		_, err = tx.DeletePicture(a.Workspace, p.ID, math.MaxInt64)
		return err
	})
}

// Data returns one width of the picture with that hash. No rights are needed, since pictures are public. Errors:
// not_found.
func (s *Service) Data(ctx context.Context, hash string, width int) (catalog.PictureFormat, []byte, error) {
	format, data, err := s.Reader(ctx).PictureData(hash, width)
	return format, data, fault.OrMissing(err, fault.Missing("picture", hash))
}
