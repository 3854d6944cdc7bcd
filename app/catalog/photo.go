package catalog

import (
	"fmt"
	"net/url"
	"slices"

	"daybook/app/fault"
)

// Photo is a picture of the business on its page.
type Photo struct {
	Picture PictureID `json:"picture"`
	Text    string    `json:"text,omitempty"` // what it shows, for those who can't see it
}

const (
	// MaxPhotos is how many a business shows.
	MaxPhotos = 12

	maxPhotoText = 200
	maxReviews   = 500
)

// checkPhotos normalises them. The error is bad_request.
func checkPhotos(all []Photo) (err error) {
	if len(all) > MaxPhotos {
		return fault.Invalid("settings.photos", "at most %d", MaxPhotos)
	}
	for i := range all {
		at := fmt.Sprintf("settings.photos[%d]", i)
		if all[i].Picture == 0 {
			return fault.Invalid(at+".picture", "is required")
		}
		if slices.ContainsFunc(all[:i], func(p Photo) bool { return p.Picture == all[i].Picture }) {
			return fault.Invalid(at+".picture", "is among the photos already")
		}
		if all[i].Text, err = fault.CheckLine(at+".text", all[i].Text, 0, maxPhotoText); err != nil {
			return err
		}
	}
	return nil
}

// checkReviews returns the address of a page of reviews, normalised; "" is none. Visitors are led there, so it is a page
// of the web that is open to everybody. The error is bad_request.
func checkReviews(address string) (string, error) {
	const field = "settings.reviewsUrl"
	address, err := fault.CheckLine(field, address, 0, maxReviews)
	if err != nil || address == "" {
		return "", err
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil || !hostForm.MatchString(u.Host) {
		return "", fault.Invalid(field, "must be the https:// address of a page")
	}
	return u.String(), nil
}

// MovePhoto moves one by so many places, as far as the ends. One that is gone stays so.
func (t *Settings) MovePhoto(id PictureID, by int) {
	at := t.photo(id)
	if at < 0 {
		return
	}
	moved := t.Photos[at]
	rest := slices.Delete(slices.Clone(t.Photos), at, at+1) // who compares keeps the list as it was
	t.Photos = slices.Insert(rest, min(max(at+by, 0), len(rest)), moved)
}

// DescribePhoto says what one shows.
func (t *Settings) DescribePhoto(id PictureID, text string) {
	if at := t.photo(id); at >= 0 {
		t.Photos = slices.Clone(t.Photos)
		t.Photos[at].Text = text
	}
}

// RemovePhoto removes one.
func (t *Settings) RemovePhoto(id PictureID) {
	t.Photos = slices.DeleteFunc(slices.Clone(t.Photos), func(p Photo) bool { return p.Picture == id })
}

func (t *Settings) photo(id PictureID) int {
	return slices.IndexFunc(t.Photos, func(p Photo) bool { return p.Picture == id })
}
