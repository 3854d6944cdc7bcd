package views

import "net/url"

// MapURL finds an address on OpenStreetMap.
func MapURL(address string) string {
	return "https://www.openstreetmap.org/search?query=" + url.QueryEscape(address)
}

// RouteURL shows the way to an address, on telephones in their own program for that. See the "Directions" action of
// https://developers.google.com/maps/documentation/urls.
func RouteURL(address string) string {
	return "https://www.google.com/maps/dir/?api=1&destination=" + url.QueryEscape(address)
}
