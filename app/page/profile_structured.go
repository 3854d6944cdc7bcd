package page

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/trade"
)

// Data is schema.org data for search engines and agents.
type Data map[string]any

// Data describes the business and what it offers, under the headings of its page.
func (b Business) Data(offered []*catalog.EventType) Data {
	d := b.data()
	d["@context"] = "https://schema.org"
	if hours := b.openingData(); len(hours) > 0 {
		d["openingHoursSpecification"] = hours
	}
	if all := b.employees(offered); len(all) > 0 {
		d["employee"] = all
	}
	add(d, "sameAs", b.Setup.Workspace.Settings.ReviewsURL) // where the same business is rated
	add(d, "priceRange", b.priceRange(offered))
	d["potentialAction"] = reserve(b.Setup.Workspace.Name, d["url"].(string))
	if b.Setup.Workspace.AssistantsMayBook {
		d["subjectOf"] = Data{"@type": "DigitalDocument", "name": "How AI assistants book here",
			"encodingFormat": "text/markdown", "url": d["url"].(string) + "/llms.txt"}
	}
	if p := b.photo(offered); p != nil && d["image"] == nil {
		d["image"] = b.Widest(p)
	}
	parts := map[string]Data{}
	var order, offers []Data
	for _, e := range offered {
		service := Data{"@type": "Service", "name": e.Title, "url": e.BookingURL}
		add(service, "description", Summary(e.Description))
		b.addImage(service, e)
		offer := b.offerData(e)
		offer["itemOffered"] = service
		offers = append(offers, offer)
		part := parts[e.Category]
		if part == nil {
			part = Data{"@type": "OfferCatalog", "itemListElement": []Data{}}
			add(part, "name", e.Category)
			parts[e.Category], order = part, append(order, part)
		}
		part["itemListElement"] = append(part["itemListElement"].([]Data), offer)
	}
	if rest := parts[""]; rest != nil { // without a heading they come last
		order = append(slices.DeleteFunc(order, func(part Data) bool { return part["name"] == nil }), rest)
	}
	if len(offers) > 0 {
		d["makesOffer"] = offers
		d["hasOfferCatalog"] = Data{"@type": "OfferCatalog", "name": b.Setup.Workspace.Name, "itemListElement": order}
	}
	return d
}

// employees are the people who can be booked, each with their page.
func (b Business) employees(offered []*catalog.EventType) (all []Data) {
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		if !b.serves(h, offered) {
			continue
		}
		d := Data{"@type": "Person", "name": h.Name, "url": b.hostURL(h)}
		if p := b.Setup.Picture(h.Picture); p != nil {
			d["image"] = b.Widest(p)
		}
		all = append(all, d)
	}
	return all
}

// serves reports whether a host can be booked for something of what is offered.
func (b Business) serves(h *catalog.Host, offered []*catalog.EventType) bool {
	return h.Active && slices.ContainsFunc(offered, func(e *catalog.EventType) bool { return e.ServedBy(h.ID) })
}

// hostURL is the page of what a host does.
func (b Business) hostURL(h *catalog.Host) string {
	return b.BaseURL + "/" + b.Setup.Workspace.Slug + "?host=" + h.ID.String()
}

// priceRange is "30–60 EUR", from the cheapest to the dearest of what costs something.
func (b Business) priceRange(offered []*catalog.EventType) string {
	var least, most *money.Money
	for _, e := range offered {
		low, high, _ := b.Setup.Prices(e)
		if low == nil || high == nil || least != nil && low.Currency != least.Currency {
			continue
		}
		if least == nil || low.Amount < least.Amount {
			least = low
		}
		if most == nil || high.Amount > most.Amount {
			most = high
		}
	}
	switch {
	case least == nil:
		return ""
	case least.Amount == most.Amount:
		return money.Decimal(least.Amount, least.Currency) + " " + least.Currency
	}
	return money.Decimal(least.Amount, least.Currency) + "–" + money.Decimal(most.Amount, most.Currency) + " " + least.Currency
}

// kinds are the types of schema.org for trades; all are kinds of LocalBusiness.
var kinds = map[trade.Trade]string{trade.Hair: "HairSalon", trade.Barber: "HairSalon", trade.Nails: "NailSalon", trade.Beauty: "BeautySalon",
	trade.Massage: "HealthAndBeautyBusiness", trade.Fitness: "SportsActivityLocation", trade.Garage: "AutoRepair"}

// offerData returns what an event type costs: the lowest and the highest price where it depends on the person.
func (b Business) offerData(e *catalog.EventType) Data {
	low, high, _ := b.Setup.Prices(e)
	if low == nil || high == nil || low.Amount == high.Amount {
		d := Data{"@type": "Offer"}
		addPrice(d, low)
		return d
	}
	return Data{"@type": "AggregateOffer", "priceCurrency": low.Currency,
		"lowPrice": money.Decimal(low.Amount, low.Currency), "highPrice": money.Decimal(high.Amount, high.Currency)}
}

// openingData returns the opening hours, where the page shows them.
func (b Business) openingData() (all []Data) {
	if !b.Visited {
		return nil
	}
	clock := func(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60) }
	for day, ranges := range b.Setup.OpeningHours(b.Now) {
		for _, r := range ranges {
			opens, closes := clock(r.Start), clock(r.End)
			if r.End-r.Start >= 24*60 {
				opens, closes = "00:00", "23:59"
			}
			all = append(all, Data{"@type": "OpeningHoursSpecification",
				"dayOfWeek": "https://schema.org/" + time.Weekday(day).String(), "opens": opens, "closes": closes})
		}
	}
	return all
}

// ServiceData describes an event type and where it is booked.
func (b Business) ServiceData(e *catalog.EventType) Data {
	d := Data{
		"@context": "https://schema.org", "@type": "Service", "name": e.Title, "url": e.BookingURL, "provider": b.data(),
		"potentialAction": reserve(e.Title, e.BookingURL),
	}
	add(d, "description", Summary(e.Description))
	b.addImage(d, e)
	if _, high, _ := b.Setup.Prices(e); high != nil {
		offer := b.offerData(e)
		offer["url"], offer["availability"] = e.BookingURL, "https://schema.org/InStock"
		d["offers"] = offer
	}
	return d
}

// reserve returns where something is booked.
func reserve(name, address string) Data {
	return Data{"@type": "ReserveAction", "name": name, "target": Data{
		"@type": "EntryPoint", "urlTemplate": address,
		"actionPlatform": []string{"https://schema.org/DesktopWebPlatform", "https://schema.org/MobileWebPlatform"},
	}}
}

func (b Business) data() Data {
	w := &b.Setup.Workspace
	d := Data{"@type": cmp.Or(kinds[w.Settings.Trade], "LocalBusiness"), "name": w.Name, "url": b.BaseURL + "/" + w.Slug}
	add(d, "description", w.Settings.Description)
	add(d, "address", w.Settings.Address)
	add(d, "telephone", w.Settings.Phone)
	logo := b.Absolute(b.Setup.Logo())
	add(d, "logo", logo)
	if p := b.photo(nil); p != nil {
		logo = b.Widest(p)
	}
	add(d, "image", logo)
	return d
}

// addImage adds the picture of an event type.
func (b Business) addImage(d Data, e *catalog.EventType) {
	if p := b.Setup.Picture(e.Picture); p != nil {
		d["image"] = b.Widest(p)
	}
}

func add(d Data, key, value string) {
	if value != "" {
		d[key] = value
	}
}

// addPrice writes an amount as a plain number, as schema.org requires.
func addPrice(d Data, m *money.Money) {
	if m != nil {
		d["price"], d["priceCurrency"] = money.Decimal(m.Amount, m.Currency), m.Currency
	}
}
