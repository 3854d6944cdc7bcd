package settings

import (
	"daybook/app/catalog"
	"daybook/views/dash"
)

func (c call) uploadLogo() error {
	taken, err := c.TakePicture(c.setLogo)
	if err != nil {
		return err
	}
	if !taken {
		return c.showBrand(nil, nil)
	}
	return c.Redirect(dash.SettingsBrandPath, "saved")
}

func (c call) removeLogo() error {
	if err := c.setLogo(0); err != nil {
		return err
	}
	return c.Redirect(dash.SettingsBrandPath, "saved")
}

func (c call) setLogo(id catalog.PictureID) error {
	_, err := c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) { w.Settings.Logo = id })
	return err
}
