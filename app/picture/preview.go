package picture

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// previewSize is what programs that show a preview of a link cut pictures to: 1.91 by 1, and large enough for the large
// kind (https://developers.facebook.com/docs/sharing/webmasters/images).
var previewSize = image.Pt(1200, 630)

// previewing is the place of who makes a preview: one in the whole process, apart from those of uploads, since anybody
// may ask for one.
var previewing = make(chan struct{}, 1)

// Preview returns a width of a picture as a JPEG in the shape of previews of links, no larger than 1200 by 630 pixels.
// What is too wide loses its sides alike, what is too high a quarter of that above and the rest below, where a face
// seldom is. No rights are needed. Errors: not_found (also of what is transparent somewhere), unavailable (busy).
func (s *Service) Preview(ctx context.Context, hash string, width int) ([]byte, error) {
	format, data, err := s.Data(ctx, hash, width)
	if err != nil {
		return nil, err
	}
	if format != catalog.JPEG {
		return nil, fault.Missing("picture", hash)
	}
	late, cancel := context.WithTimeout(ctx, decoderWait)
	defer cancel()
	select {
	case previewing <- struct{}{}:
		defer func() { <-previewing }()
	case <-late.Done():
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Unavailable, "busy", "Too many previews are being made. Try again in a few seconds.").With("retryAfter", 5)
	}
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	part := previewed(m.Bounds())
	cut := image.NewRGBA(image.Rectangle{Max: part.Size()})
	draw.Draw(cut, cut.Bounds(), m, part.Min, draw.Src)
	size := previewSize
	if part.Dx() < size.X {
		size = part.Size()
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, scale(cut, size), &jpeg.Options{Quality: qualities[0]})
	return out.Bytes(), err
}

// previewed returns the part of a picture that its preview shows.
func previewed(of image.Rectangle) image.Rectangle {
	size := image.Pt(of.Dx(), max(1, of.Dx()*previewSize.Y/previewSize.X))
	if size.Y > of.Dy() {
		size = image.Pt(max(1, of.Dy()*previewSize.X/previewSize.Y), of.Dy())
	}
	at := of.Min.Add(image.Pt((of.Dx()-size.X)/2, (of.Dy()-size.Y)/4))
	return image.Rectangle{Min: at, Max: at.Add(size)}
}
