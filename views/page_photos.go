package views

// Photo is a photograph of the business on its page.
type Photo struct {
	Image
	URL string // the path of the widest
}

// gallery returns the photos below the services: all but the one at the head.
func (v IndexPage) gallery() []Photo {
	if len(v.Photos) < 2 || v.Host != nil {
		return nil
	}
	return v.Photos[1:]
}

// headSizes says how wide the photo at the head is: on wide screens as the page is with opening hours and such beside it.
// On a phone it is said to be two thirds of that: at three pixels for one of the page's, 800 are sharp enough, and 1,600
// weigh more than twice as much (38 and 87 kB of the demo's).
func (v IndexPage) headSizes() string {
	const narrow = "(min-width: 47rem) 44rem, (min-width: 40rem) 95vw, 66vw"
	if v.Shop.shown() {
		return "(min-width: 80rem) 74rem, (min-width: 60rem) 95vw, " + narrow
	}
	return narrow
}

// gallerySizes says the same of one below the services, a little less than it is for the same reason.
const gallerySizes = "(min-width: 40rem) 16rem, 11rem"
