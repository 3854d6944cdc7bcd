package picture

import (
	"image"
	"image/draw"
)

// scale returns the picture at a size that is no larger in either direction: each pixel is the average of those that it
// stands for. It reads the picture in strips, so that it needs little memory besides the two pictures.
func scale(m image.Image, size image.Point) *image.RGBA {
	from := m.Bounds()
	if same, ok := m.(*image.RGBA); ok && from == (image.Rectangle{Max: size}) {
		return same
	}
	to := image.NewRGBA(image.Rectangle{Max: size})
	s := scaler{to: to, width: from.Dx(), height: from.Dy()}
	s.row, s.sum = make([]float32, 4*size.X), make([]float32, 4*size.X)
	rows := min(16, from.Dy())
	strip := image.NewRGBA(image.Rect(0, 0, from.Dx(), rows))
	for y := 0; y < from.Dy(); y += rows {
		part := image.Rect(0, 0, from.Dx(), min(rows, from.Dy()-y))
		draw.Draw(strip, part, m, from.Min.Add(image.Pt(0, y)), draw.Src)
		for i := range part.Dy() {
			s.add(strip.Pix[i*strip.Stride:][:4*from.Dx()])
		}
	}
	return to
}

// scaler takes the rows of a picture one after the other. Lengths are whole numbers: a pixel of the picture is as long
// as the scaled one has pixels, and one of the scaled picture as long as the picture has.
type scaler struct {
	to            *image.RGBA
	width, height int       // of the picture
	row           []float32 // the picture's row, scaled: four values a pixel
	sum           []float32 // of the rows of the scaled row that is being made
	y, filled     int       // that row, and how much of its height is there
}

func (s *scaler) add(pixels []byte) {
	s.scaleRow(pixels)
	for left := s.to.Rect.Dy(); left > 0; {
		part := min(left, s.height-s.filled)
		weight := float32(part)
		for i, v := range s.row {
			s.sum[i] += v * weight
		}
		left -= part
		if s.filled += part; s.filled == s.height {
			s.write()
		}
	}
}

func (s *scaler) scaleRow(pixels []byte) {
	clear(s.row)
	at, filled, long := 0, 0, s.to.Rect.Dx()
	for x := 0; x < len(pixels); x += 4 {
		p := pixels[x : x+4 : x+4]
		for left := long; left > 0; {
			part := min(left, s.width-filled)
			weight, r := float32(part), s.row[at:at+4:at+4]
			r[0] += float32(p[0]) * weight
			r[1] += float32(p[1]) * weight
			r[2] += float32(p[2]) * weight
			r[3] += float32(p[3]) * weight
			left -= part
			if filled += part; filled == s.width {
				at, filled = at+4, 0
			}
		}
	}
}

// write ends a row of the scaled picture.
func (s *scaler) write() {
	to := s.to.Pix[s.y*s.to.Stride:]
	area := float32(s.width) * float32(s.height)
	for i, v := range s.sum {
		to[i] = byte(min(255, v/area+0.5))
	}
	clear(s.sum)
	s.y, s.filled = s.y+1, 0
}
