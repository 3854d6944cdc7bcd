package views

// Chosen is what a visitor has chosen on the page of the business so far.
type Chosen struct {
	Items []BasketItem
	Sum   Event  // what it takes and costs in all
	URL   string // its times
}

// chosenName names what is chosen: the service, or how many.
func (v IndexPage) chosenName() string {
	if len(v.Chosen.Items) == 1 {
		return v.Chosen.Items[0].Title
	}
	return v.T("chosen_services", "Count", len(v.Chosen.Items))
}

// chosenTerms says what it takes and costs in all.
func (v IndexPage) chosenTerms() string {
	sum := v.Chosen.Sum
	text := v.Locale.Duration(sum.Duration)
	if sum.Longer > 0 {
		text += " – " + v.Locale.Duration(sum.Longer)
	}
	if sum.Price == nil {
		return text
	}
	price := v.Money(*sum.Price)
	if sum.From {
		price = v.T("person_from", "Price", price)
	}
	return text + " · " + price
}

// said is what a screen reader hears once something was chosen, or given up.
func (v IndexPage) said() string {
	if v.Chosen == nil {
		return ""
	}
	return v.chosenName() + " · " + v.chosenTerms()
}

// rest reports whether anything stands below the services, beside opening hours and such.
func (v IndexPage) rest() bool {
	return v.Host == nil && (len(v.gallery()) > 0 || len(v.People) > 1 || v.Shop.About != "")
}

// firstPart returns the heading that the services begin with, or the search where it finds none; "" where there are none.
func (v IndexPage) firstPart() string {
	for _, c := range v.Categories {
		if c.found() > 0 {
			return c.ID
		}
	}
	if v.Search != nil {
		return "seek"
	}
	return ""
}

// takeID is the id of the sign by which a service is chosen.
func takeID(e Event) string { return "take-" + e.Slug }

// ServicePath is the page of the business with these services chosen, at the one of that slug.
func ServicePath(workspace, slug string, q Query) string {
	return address("/"+workspace, q, "#"+serviceID(slug))
}

func serviceID(slug string) string { return "service-" + slug }
