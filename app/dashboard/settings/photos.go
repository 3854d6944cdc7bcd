package settings

import (
	"cmp"
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/views/dash"
)

// photos are the photographs of the business, in the order in which its page shows them; the zero card for who may not
// change them, which shows nothing.
func (c call) photos() dash.PhotosCard {
	picture := c.PictureCard("", "", dash.PhotoUploadPath, 0)
	if picture.Action == "" {
		return dash.PhotosCard{}
	}
	all := c.Setup.Workspace.Settings.Photos
	card := dash.PhotosCard{Most: catalog.MaxPhotos}
	if len(all) < catalog.MaxPhotos {
		card.Action = picture.Action
	}
	for i, of := range all {
		row := dash.PhotoRow{ID: of.Picture.String(), Name: c.T("photo_n", "N", i+1), Text: of.Text, Place: i + 1, Of: len(all)}
		if p := c.Setup.Picture(of.Picture); p != nil {
			row.Image = web.Image(p, "")
		}
		card.Rows = append(card.Rows, row)
	}
	return card
}

func (c call) addPhoto() error {
	taken, err := c.TakePicture(func(picture catalog.PictureID) error {
		_, err := c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
			w.Settings.Photos = append(w.Settings.Photos, catalog.Photo{Picture: picture})
		})
		return err
	})
	if err != nil {
		return err
	}
	if !taken {
		return c.showBrand(nil, nil)
	}
	return c.Redirect(dash.SettingsBrandPath+"?said=saved#photos", "")
}

// movePhoto moves one by so many places; what is no number moves nothing.
func (c call) movePhoto() error {
	by, _ := strconv.Atoi(c.PostFormValue("by"))
	by = min(max(by, -catalog.MaxPhotos), catalog.MaxPhotos)
	return c.changePhoto("", func(t *catalog.Settings, picture catalog.PictureID) { t.MovePhoto(picture, by) })
}

func (c call) describePhoto() error {
	text := c.PostFormValue("text")
	return c.changePhoto("?said=saved", func(t *catalog.Settings, picture catalog.PictureID) { t.DescribePhoto(picture, text) })
}

func (c call) removePhoto() error {
	return c.changePhoto("?said=saved", (*catalog.Settings).RemovePhoto)
}

// changePhoto changes the photo of the path, and shows all of them.
func (c call) changePhoto(said string, change func(*catalog.Settings, catalog.PictureID)) error {
	picture, err := id.Parse[catalog.PictureIDKind](c.PathValue("id"))
	if err != nil {
		return fault.Missing("picture", c.PathValue("id"))
	}
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) { change(&w.Settings, picture) })
	if e := web.Refused(err); e != nil {
		c.PictureWrong = cmp.Or(e, c.PictureWrong)
		return c.showBrand(nil, nil)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.SettingsBrandPath+said+"#photos", "")
}
