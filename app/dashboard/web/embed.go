package web

// EmbedSnippet is the HTML that shows a booking page in a website.
func EmbedSnippet(base, path string) string {
	return `<div data-service-url="` + base + path + `"></div>` + "\n" + `<script src="` + base +
		`/embed.js" async></script>`
}

// PopupSnippet is the HTML of a button that opens a booking page in front of a website.
func PopupSnippet(base, path string) string {
	return `<button data-service-popup="` + base + path + `">Book now</button>` + "\n" + `<script src="` + base +
		`/embed.js" async></script>`
}
