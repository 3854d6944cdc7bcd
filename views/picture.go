package views

// Image is an uploaded picture on a page, in several widths. The zero Image is none.
type Image struct {
	Src           string // the path of a narrow one, for browsers that know no srcset
	SrcSet        string // the paths of all widths
	Width, Height int    // of the widest, in pixels
	Alt           string // what it shows, in words; "" where that stands beside it
}
