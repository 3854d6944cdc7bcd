package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// A link to reviews leads to a page of the web that is open to everybody, or is refused.
func TestReviewsAreAPage(t *testing.T) {
	for typed, want := range map[string]string{
		"":                                "",
		" https://g.page/r/Cx1/review ":   "https://g.page/r/Cx1/review",
		"https://reviews.example/?a=b&c=": "https://reviews.example/?a=b&c=",
		"http://reviews.example/":         "!",
		"javascript:alert(1)":             "!",
		"https://me:secret@x.example/":    "!",
		"https://me@x.example/":           "!",
		"https:///nowhere":                "!",
		"//x.example/":                    "!",
		"https://x.example\\@y.example/":  "!",
		"g.page/r/Cx1":                    "!",
		"https://x.example/" + strings.Repeat("a", 500): "!",
	} {
		s := catalog.Settings{ReviewsURL: typed}
		err := s.Check()
		if e := fault.As(err); want == "!" && (e == nil || e.Field != "settings.reviewsUrl") || want != "!" && (err != nil || s.ReviewsURL != want) {
			t.Errorf("%q: %q, %v", typed, s.ReviewsURL, err)
		}
	}
}

// Photos are at most twelve, each once, and are moved as far as the ends.
func TestPhotosAreMovedAndBounded(t *testing.T) {
	var s catalog.Settings
	for i := range catalog.MaxPhotos {
		s.Photos = append(s.Photos, catalog.Photo{Picture: catalog.PictureID(i + 1)})
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	order := func() (all []catalog.PictureID) {
		for _, p := range s.Photos[:4] {
			all = append(all, p.Picture)
		}
		return all
	}
	for _, step := range []struct {
		id   catalog.PictureID
		by   int
		want []catalog.PictureID
	}{{3, -1, []catalog.PictureID{1, 3, 2, 4}}, {3, -9, []catalog.PictureID{3, 1, 2, 4}}, {3, 2, []catalog.PictureID{1, 2, 3, 4}},
		{99, 1, []catalog.PictureID{1, 2, 3, 4}}, {1, 99, []catalog.PictureID{2, 3, 4, 5}}} {
		if s.MovePhoto(step.id, step.by); !slices.Equal(order(), step.want) {
			t.Errorf("%d by %d: %v", step.id, step.by, order())
		}
	}
	s.DescribePhoto(2, "x")
	s.DescribePhoto(99, "y")
	if s.RemovePhoto(3); s.Photos[0].Text != "x" || len(s.Photos) != catalog.MaxPhotos-1 || s.Photos[1].Picture != 4 {
		t.Errorf("%+v", s.Photos)
	}
	for _, wrong := range [][]catalog.Photo{make([]catalog.Photo, 1), {{Picture: 1}, {Picture: 1}}, {{Picture: 1, Text: strings.Repeat("x", 201)}},
		append(slices.Clone(s.Photos), catalog.Photo{Picture: 40}, catalog.Photo{Picture: 41})} {
		bad := catalog.Settings{Photos: wrong}
		if e := fault.As(bad.Check()); e == nil || !strings.HasPrefix(e.Field, "settings.photos") {
			t.Errorf("%+v: %v", wrong, e)
		}
	}
}
