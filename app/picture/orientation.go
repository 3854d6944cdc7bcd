package picture

import (
	"encoding/binary"
	"image"
)

// orientation returns the tag of that name in Exif data, from 1 to 8: how the picture is to be turned and mirrored to
// stand upright (Exif 2.3, section 4.6.4, tag 0x0112; TIFF 6.0, section 2). 1, which is upright, for data that has
// none.
func orientation(exif []byte) int {
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(exif[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	const tag, short, entry = 0x0112, 3, 12
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 1
	}
	count := int64(order.Uint16(exif[at:]))
	for i := range count {
		field := at + 2 + i*entry
		if field+entry > int64(len(exif)) {
			return 1
		}
		f := exif[field : field+entry]
		if order.Uint16(f) != tag || order.Uint16(f[2:]) != short {
			continue
		}
		if value := int(order.Uint16(f[8:])); value >= 1 && value <= 8 {
			return value
		}
		return 1
	}
	return 1
}

// onItsSide reports whether the orientation exchanges width and height.
func onItsSide(orientation int) bool { return orientation >= 5 }

// upright turns and mirrors a picture of that orientation.
func upright(m *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return m
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	turned := image.NewRGBA(image.Rect(0, 0, w, h))
	if onItsSide(orientation) {
		turned = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			var tx, ty int // where the pixel belongs
			switch orientation {
			case 2:
				tx, ty = w-1-x, y
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				tx, ty = x, h-1-y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			from, to := m.PixOffset(x, y), turned.PixOffset(tx, ty)
			copy(turned.Pix[to:to+4], m.Pix[from:from+4])
		}
	}
	return turned
}
