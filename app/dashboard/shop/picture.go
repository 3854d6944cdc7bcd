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

// The fields of a service's picture: one that was taken of a form that was refused, and whether to have none.
const (
	pictureKept = dash.PictureField + ".id"
	pictureGone = dash.PictureField + ".remove"
)

// pictureInput returns the field for the picture of an event type, with the one that it has, or that was chosen for it;
// the zero one for who may not.
func (c call) pictureInput(e *catalog.EventType, typed url.Values) dash.PictureInput {
	v := dash.PictureInput{Title: e.Title, Length: c.Lengths(e), Price: c.Costs(e)}
	v.Input = dash.Input{Name: dash.PictureField, Label: c.T("picture_of_type"), Kind: "file", Hint: c.T("picture_hint")}
	if kept, err := c.Subjects.Pictures.Picture(c.Context(), c.Actor, typed.Get(pictureKept)); err == nil {
		v.Kept, v.Input.Hint = kept.ID.String(), c.T("service_picture_kept")
		v.Image = views.Image{Src: strings.TrimPrefix(kept.URL, c.Subjects.BaseURL()), Width: kept.Width, Height: kept.Height}
	} else if p := c.Setup.Picture(e.Picture); p != nil {
		v.Image = web.Image(p, "")
	}
	v.Gone, v.May = typed.Has(pictureGone), c.May(app.MayManagePictures)
	return v
}

// readPicture reads which picture the form has besides a file.
func readPicture(form url.Values, e *catalog.EventType) {
	if kept, err := id.Parse[catalog.PictureIDKind](form.Get(pictureKept)); err == nil {
		e.Picture = kept
	}
	if form.Has(pictureGone) {
		e.Picture = 0
	}
}

// takePicture keeps the picture in the file, and notes it in the form, so that it isn't chosen again where another field
// is refused.
func (c call) takePicture(form url.Values, file []byte, e *catalog.EventType) error {
	wrong := error(c.PictureWrong)
	if c.PictureWrong == nil && len(file) == 0 {
		return nil
	}
	if c.PictureWrong == nil {
		p, _, err := c.Subjects.Pictures.Upload(c.Context(), c.Actor, file)
		if err == nil {
			e.Picture = p.ID
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
		return c.showHost(&h, nil, h.Weekly, nil)
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
