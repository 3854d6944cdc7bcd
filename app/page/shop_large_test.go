package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"daybook/app/catalog"
	"daybook/app/money"
)

// large20 adds the shop of twenty services, six people and pictures to the world, and is its list.
func (w *world) large20() state {
	w.T.Helper()
	people := [][2]string{{"Ana Keller", "Founder, for colour and long hair"}, {"Ben Okafor", "Short cuts and beards"}, {"Clara Moreau", "Braids, updos and weddings"},
		{"Dilan Yılmaz", "Curls, balayage and blow-dry"}, {"Eva Lindqvist", "Fine hair and soft colours"}, {"Farid Nasser", "Fades and hot towels"}}
	services := []struct {
		category, title, text, picture string
		minutes, price                 int
	}{
		{"Cut and style", "Haircut", "Wash, cut and blow-dry. We take a few minutes first to talk about what you would like.", "haircut", 45, 45},
		{"Cut and style", "Wash and blow-dry", "For the evening, or just because.", "blow-dry", 30, 28},
		{"Cut and style", "Restyle", "A new shape, with all the time that it takes.", "haircut", 75, 72},
		{"Cut and style", "Children’s cut", "Up to twelve years. There are books and a fish tank.", "haircut", 30, 24},
		{"Cut and style", "Fringe trim", "Between two cuts.", "haircut", 10, 12},
		{"Cut and style", "Curl cut", "Cut dry, curl by curl.", "blow-dry", 60, 65},
		{"Colour", "Colour and cut", "Full colour with a cut to finish. Please come with dry, unwashed hair.", "colour", 120, 129},
		{"Colour", "Balayage", "Light painted by hand, with toner and care.", "balayage", 180, 195},
		{"Colour", "Highlights", "Foils for half or the whole head.", "balayage", 150, 145},
		{"Colour", "Root touch-up", "Up to three centimetres.", "colour", 75, 58},
		{"Colour", "Gloss", "Shine and tone without bleach.", "colour", 30, 35},
		{"Beard", "Beard trim", "Shape, trim and a hot towel.", "beard-trim", 20, 22},
		{"Beard", "Hot towel shave", "With a straight razor.", "beard-trim", 40, 38},
		{"Beard", "Cut and beard", "Both, in one go.", "beard-trim", 60, 59},
		{"Care", "Keratin treatment", "Smooth for about three months.", "balayage", 150, 180},
		{"Care", "Scalp massage", "Twenty minutes of quiet.", "blow-dry", 20, 25},
		{"Care", "First consultation", "A quarter of an hour by video to find out what suits you.", "consultation", 15, 0},
		{"Occasions", "Bridal styling", "A trial and a plan for the day itself. We confirm each request by hand.", "bridal", 150, 220},
		{"Occasions", "Braiding workshop", "Learn four braids in a small group. Bring a friend.", "braiding-workshop", 90, 35},
		{"Occasions", "Updo", "For weddings, balls and the opera.", "bridal", 60, 75},
	}
	var yaml strings.Builder
	yaml.WriteString(`
workspace: {slug: grand, name: Salon Linden, timeZone: Europe/Berlin, currency: EUR, phone: +49 30 5550100, address: "Lindenstraße 12, 10969 Berlin", description: Cut, about: ""}
hosts:
`)
	for i, p := range people {
		fmt.Fprintf(&yaml, "  - {name: %s, about: %q, email: p%d@grand.example, timeZone: Europe/Berlin, weekly: {tue: [\"09:00-18:00\"], wed: [\"09:00-18:00\"], thu: [\"11:00-20:00\"], fri: [\"09:00-18:00\"], sat: [\"09:00-15:00\"]}}\n", p[0], p[1], i)
	}
	yaml.WriteString("eventTypes:\n")
	for i, s := range services {
		price := "null"
		if s.price > 0 {
			price = fmt.Sprintf("{amount: %d, currency: EUR}", s.price*100)
		}
		fmt.Fprintf(&yaml, "  - {slug: s%d, category: %s, title: %q, description: %q, durationMinutes: %d, price: %s, location: Lindenstraße 12, hosts: [p%d@grand.example, p%d@grand.example]}\n",
			i, s.category, s.title, s.text, s.minutes, price, i%6, (i+1)%6)
	}
	w.Apply(yaml.String())
	var err error
	w.Workspace, err = w.WorkspaceBySlug(w.T.Context(), "grand")
	w.Must(err)
	w.Actors()
	shown := map[string]catalog.PictureID{}
	picture := func(name string) catalog.PictureID {
		if shown[name] == 0 {
			file, err := os.ReadFile(filepath.Join("../demo/pictures", name+".jpg"))
			if err != nil {
				file, err = os.ReadFile(filepath.Join("testdata", name+".jpg"))
			}
			w.Must(err)
			p, _, err := w.Pictures.Upload(w.T.Context(), w.Owner, file)
			w.Must(err)
			shown[name] = p.ID
		}
		return shown[name]
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	_, err = w.Shop.UpdateWorkspace(w.T.Context(), w.Owner, func(ws *catalog.Workspace) {
		ws.Settings.Description = "Cut, colour and care under the old lime tree"
		ws.Settings.About = "Salon Linden has been on the corner since 2009. We take time for a talk first, work with products that we use ourselves, and offer you a coffee while the colour sets."
	})
	w.Must(err)
	for _, h := range setup.Hosts {
		first, _, _ := strings.Cut(strings.ToLower(h.Name), " ")
		h.Picture = picture(first)
		_, err := w.Shop.SaveHost(w.T.Context(), w.Owner, h)
		w.Must(err)
		if h.Name == "Dilan Yılmaz" { // dearer, and slower
			h.EventTypes = append(h.EventTypes, catalog.Terms{Slug: "s2", DurationMinutes: new(90), Price: &money.Money{Amount: 8500, Currency: "EUR"}})
			_, err := w.Shop.SaveHost(w.T.Context(), w.Owner, h)
			w.Must(err)
		}
	}
	for i := range setup.EventTypes {
		e := setup.EventTypes[i]
		for _, s := range services {
			if s.title == e.Title {
				e.Picture = picture(s.picture)
			}
		}
		_, err := w.Shop.SaveEventType(w.T.Context(), w.Owner, e)
		w.Must(err)
	}
	w.Workspace, err = w.WorkspaceBySlug(w.T.Context(), "demo")
	w.Must(err)
	w.Actors()
	return state{name: "grand", at: "/grand"}
}
