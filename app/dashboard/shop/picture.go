package shop

import (
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/views"
	"daybook/views/dash"
)

// The fields of a picture beside the file: one that was taken of a form that was refused, and whether to have none.
const (
	pictureKept = dash.PictureField + ".id"
	pictureGone = dash.PictureField + ".remove"
)

// typePicture returns the field for the picture of an event type, beside what customers see of it.
func (c call) typePicture(e *catalog.EventType, typed url.Values) dash.PictureInput {
	v := c.pictureInput(c.T("picture_of_type"), e.Picture, typed)
	v.Title, v.Length, v.Price = e.Title, c.Lengths(e), c.Costs(e)
	return v
}

// pictureInput returns the field for a picture, with the one that there is, or that was chosen already.
func (c call) pictureInput(label string, now catalog.PictureID, typed url.Values) (v dash.PictureInput) {
	v.Input = dash.Input{Name: dash.PictureField, Label: label, Kind: "file", Hint: c.T("picture_hint")}
	if kept, err := c.Subjects.Pictures.Picture(c.Context(), c.Actor, typed.Get(pictureKept)); err == nil {
		v.Kept, v.Input.Hint = kept.ID.String(), c.T("service_picture_kept")
		v.Image = views.Image{Src: strings.TrimPrefix(kept.URL, c.Subjects.BaseURL()), Width: kept.Width, Height: kept.Height}
	} else if p := c.Setup.Picture(now); p != nil {
		v.Image = web.Image(p, "")
	}
	v.Gone, v.May = typed.Has(pictureGone), c.May(app.MayManagePictures)
	return v
}

// readPicture reads which picture the form has besides a file.
func readPicture(form url.Values, to *catalog.PictureID) {
	if kept, err := id.Parse[catalog.PictureIDKind](form.Get(pictureKept)); err == nil {
		*to = kept
	}
	if form.Has(pictureGone) {
		*to = 0
	}
}

// takePicture keeps the picture in the file, and notes it in the form, so that it isn't chosen again where another field
// is refused.
func (c call) takePicture(form url.Values, file []byte, to *catalog.PictureID) error {
	wrong := error(c.PictureWrong)
	if c.PictureWrong == nil && len(file) == 0 {
		return nil
	}
	if c.PictureWrong == nil {
		p, _, err := c.Subjects.Pictures.Upload(c.Context(), c.Actor, file)
		if err == nil {
			*to = p.ID
			form.Set(pictureKept, p.ID.String())
			form.Del(pictureGone)
			return nil
		}
		wrong = err
	}
	if told := fault.As(wrong); told != nil && told.Code != fault.Forbidden {
		named := *told // it is shared
		named.Field, named.Others = dash.PictureField, nil
		return &named
	}
	return wrong
}

// refused returns err if the form can show it, or nil if it is for someone else.
func refused(err error) *fault.Error {
	if e := fault.As(err); e != nil && e.Code != fault.NotFound && e.Code != fault.Forbidden {
		return e
	}
	return nil
}

func (c call) uploadHostPicture() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	taken, err := c.TakePicture(c.setHostPicture)
	if err != nil {
		return err
	}
	if !taken {
		return c.showProfile(&h, dash.Invited{}, nil, nil)
	}
	return c.Redirect(dash.HostPath(h.ID.String()), "saved")
}

func (c call) removeHostPicture() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	if err := c.setHostPicture(0); err != nil {
		return err
	}
	return c.Redirect(dash.HostPath(h.ID.String()), "saved")
}

func (c call) setHostPicture(id catalog.PictureID) error {
	_, err := c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.PathValue("id"), func(h *catalog.Host) error {
		h.Picture = id
		return nil
	})
	return err
}
