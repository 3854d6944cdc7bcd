package demo

import (
	"context"
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// pictures are drawn for the demo: of event types by their slug, of hosts by their first name, the logo, and photographs
// of the salon by their number. No photograph of others is among them.
//
//go:embed pictures
var pictures embed.FS

// photos are what the photographs show, the first one at the head of the page.
var photos = []string{"Three chairs in front of round mirrors", "A chair by the window", "A bob, cut to one length",
	"Balayage in warm blonde", "Scissors and a comb", "What we wash and care with", "The basin for washing hair"}

// AddPictures gives the services and the people of the salon their pictures, and a customer two photographs. Fill leaves that out, as it takes about as
// long as all the rest.
func AddPictures(ctx context.Context, s *subjects.Set, r Result) error {
	w, err := s.WorkspaceBySlug(ctx, r.Workspace)
	if err != nil {
		return err
	}
	owner := app.Operator(w.ID)
	uploaded, err := upload(ctx, s, owner)
	if err != nil {
		return err
	}
	setup, err := s.Setup(w.ID)
	if err != nil {
		return err
	}
	err = s.Write(ctx, func(tx app.Tx) error {
		shop := s.In(tx).Shop
		_, err := shop.UpdateWorkspace(ctx, owner, func(w *catalog.Workspace) {
			w.Settings.Logo, w.Settings.Photos = uploaded["logo"], nil
			for i, shows := range photos {
				shown := catalog.Photo{Picture: uploaded[fmt.Sprintf("photo-%d", i+1)], Text: shows}
				w.Settings.Photos = append(w.Settings.Photos, shown)
			}
		})
		if err != nil {
			return err
		}
		for _, h := range setup.Hosts {
			first, _, _ := strings.Cut(strings.ToLower(h.Name), " ")
			if h.Picture = uploaded[first]; h.Picture != 0 {
				if _, err := shop.SaveHost(ctx, owner, h); err != nil {
					return err
				}
			}
		}
		for _, e := range setup.EventTypes {
			if e.Picture = uploaded[e.Slug]; e.Picture != 0 {
				if _, err := shop.SaveEventType(ctx, owner, e); err != nil {
					return err
				}
			}
		}
		shampoo, err := shop.Products(ctx, owner, catalog.ProductFilter{Text: "shampoo"}, nil, "")
		for _, p := range shampoo.Data {
			_, err = shop.ChangeProduct(ctx, owner, p.ID.String(), func(_ *catalog.Setup, p *catalog.Product) error {
				p.Picture = uploaded["photo-6"]
				return nil
			})
		}
		return err
	})
	if err != nil {
		return err
	}
	return addPhotographs(ctx, s, owner)
}

// upload uploads the pictures, two at a time, and returns their ids by name.
func upload(ctx context.Context, s *subjects.Set, owner app.Actor) (map[string]catalog.PictureID, error) {
	files, err := pictures.ReadDir("pictures")
	if err != nil {
		return nil, err
	}
	ids, errs := make([]catalog.PictureID, len(files)), make([]error, len(files))
	var group sync.WaitGroup
	for part := range 2 {
		group.Go(func() {
			for i := part; i < len(files) && errs[i] == nil; i += 2 {
				var file []byte
				if file, errs[i] = pictures.ReadFile(path.Join("pictures", files[i].Name())); errs[i] != nil {
					return
				}
				shown, _, err := s.Pictures.Upload(ctx, owner, file)
				ids[i], errs[i] = shown.ID, err
			}
		})
	}
	group.Wait()
	byName := map[string]catalog.PictureID{}
	for i, f := range files {
		if errs[i] != nil {
			return nil, errs[i]
		}
		byName[strings.TrimSuffix(f.Name(), path.Ext(f.Name()))] = ids[i]
	}
	return byName, nil
}
