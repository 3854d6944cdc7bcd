package page

import (
	"daybook/app/catalog"

	currency "daybook/app/money"
)

// data is schema.org data for search engines and agents.
type data map[string]any

// businessData describes a workspace and what it offers.
func (v *visit) businessData() data {
	d := v.business()
	d["@context"] = "https://schema.org"
	var offers []data
	for i := range v.setup.EventTypes {
		if e := &v.setup.EventTypes[i]; e.Active {
			service := data{"@type": "Service", "name": e.Title, "url": e.BookingURL}
			add(service, "description", summary(e.Description))
			offer := data{"@type": "Offer", "itemOffered": service}
			addPrice(offer, e.Price)
			offers = append(offers, offer)
		}
	}
	if len(offers) > 0 {
		d["makesOffer"] = offers
	}
	return d
}

// serviceData describes an event type and where it is booked.
func (v *visit) serviceData(e *catalog.EventType) data {
	d := data{
		"@context": "https://schema.org", "@type": "Service", "name": e.Title, "url": e.BookingURL, "provider": v.business(),
		"potentialAction": data{"@type": "ReserveAction", "name": e.Title, "target": data{
			"@type": "EntryPoint", "urlTemplate": e.BookingURL,
			"actionPlatform": []string{"https://schema.org/DesktopWebPlatform", "https://schema.org/MobileWebPlatform"},
		}},
	}
	add(d, "description", summary(e.Description))
	if e.Price != nil {
		offer := data{"@type": "Offer", "url": e.BookingURL, "availability": "https://schema.org/InStock"}
		addPrice(offer, e.Price)
		d["offers"] = offer
	}
	return d
}

func (v *visit) business() data {
	w := &v.setup.Workspace
	d := data{"@type": "LocalBusiness", "name": w.Name, "url": v.service.BaseURL() + "/" + w.Slug}
	add(d, "description", w.Settings.Description)
	add(d, "address", w.Settings.Address)
	add(d, "telephone", w.Settings.Phone)
	add(d, "image", w.Settings.LogoURL)
	return d
}

func add(d data, key, value string) {
	if value != "" {
		d[key] = value
	}
}

// addPrice writes an amount as a plain number, as schema.org requires.
func addPrice(d data, m *catalog.Money) {
	if m != nil {
		d["price"], d["priceCurrency"] = currency.Decimal(m.Amount, m.Currency), m.Currency
	}
}
