package shop

import (
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) uploadTypePicture() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	taken, err := c.TakePicture(func(id catalog.PictureID) error { return c.setTypePicture(e, id) })
	if err != nil {
		return err
	}
	if !taken {
		return c.showType(e, nil, nil)
	}
	return c.Redirect(dash.TypePath(e.ID.String()), "saved")
}

func (c call) removeTypePicture() error {
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	if err := c.setTypePicture(e, 0); err != nil {
		return err
	}
	return c.Redirect(dash.TypePath(e.ID.String()), "saved")
}

func (c call) setTypePicture(e *catalog.EventType, id catalog.PictureID) error {
	changed := *e
	changed.Picture = id
	_, err := c.Subjects.Shop.SaveEventType(c.Context(), c.Actor, changed)
	return err
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
