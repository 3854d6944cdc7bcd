package page

import (
	"cmp"

	"daybook/app/catalog"
	"daybook/views"
)

// image returns a picture as pages show it; the zero Image for nil. Alt is what it shows, in words: "" where they stand
// beside it.
func image(p *catalog.Picture, alt string) views.Image {
	if p == nil {
		return views.Image{}
	}
	widest := p.Widest()
	return views.Image{Src: p.Src(320), SrcSet: p.SrcSet(), Width: widest.Width, Height: widest.Height, Alt: alt}
}

// linked returns the whole address of a picture as previews of links show it.
func (c *call) linked(p *catalog.Picture) string { return c.profile(nil).Preview(p) }

// photos returns those of the business. Other sites show their own around the page.
func (c *call) photos() (all []views.Photo) {
	if c.query.Embed != "" {
		return nil
	}
	for i, of := range c.setup.Workspace.Settings.Photos {
		p := c.setup.Picture(of.Picture)
		if p == nil {
			continue
		}
		alt := cmp.Or(of.Text, c.locale.T("photo_of", "Name", c.setup.Workspace.Name, "N", i+1))
		all = append(all, views.Photo{Image: image(p, alt), URL: p.Path(p.Widest().Width)})
	}
	return all
}
