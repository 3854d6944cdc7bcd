package page

import (
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

// widest returns the whole address of a picture.
func (c *call) widest(p *catalog.Picture) string { return c.profile(nil).Widest(p) }
