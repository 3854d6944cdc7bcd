package main

import (
	"fmt"
	"time"
)

// paths are the rows of the table.
func (b *bench) paths() []path {
	from := b.first.Format(time.DateOnly)
	open := func(eventType string) string {
		return "/api/v1/availability?eventType=" + eventType + "&timeZone=Europe/Berlin&from=" + from + "&days=60"
	}
	listed := func(i int) string {
		span := b.first.Add(-4*day).UnixMilli() - int64(b.seen)
		return time.UnixMilli(int64(b.seen) + int64(i)*7919*60_000%max(span, 1)).UTC().Format(time.RFC3339)
	}
	month := "/door/hour?timeZone=Europe/Berlin&month=" + b.first.AddDate(0, 1, 0).Format("2006-01")
	pages := b.pages(open("hour") + "&limit=100")
	same := func(path string) func(int) string { return func(int) string { return Get(path) } }
	of := func(format string, value func(int) any) func(int) string {
		return func(i int) string { return Get(fmt.Sprintf(format, value(i))) }
	}
	id := func(i int) any { return b.ids[i*7919%len(b.ids)] }
	at := func(i int) any { return listed(i) }
	paged := func(i int) string { return Get(pages[i%len(pages)]) }
	book := func(path string, from int) func(int) string {
		return func(i int) string { return Post(path, b.posted(from+i)) }
	}
	const real, apart = "/api/v1/bookings", 500_000 // times that no other path books
	posts := []path{
		{name: "POST booking", status: 201, goal: 0.6, guard: 0.15, differ: true, rows: true,
			door: book(real, 0), floor: book("/all-rows", 0)},
		{name: "POST booking/two rows", status: 201, differ: true, door: book(real, apart), floor: book(real, apart)},
	}
	if b.creation != nil {
		posts = append(posts, path{name: "POST booking/PocketBase", status: 201, created: 200, goal: 2, differ: true,
			other: b.creation, door: book(real, 2*apart), floor: book("/api/collections/bookings/records", 0)})
	}
	return append([]path{
		{name: "GET one", status: 200, goal: 0.7, guard: 0.3, door: of("/api/v1/bookings/%s", id),
			floor: of("/api/v1/bookings/%s", id)},
		{name: "list of 50", status: 200, goal: 0.8, guard: 0.5, door: of("/api/v1/bookings?limit=50&from=%s", at),
			floor: of("/api/v1/bookings?limit=50&from=%s", at)},
		{name: "availability, first page", status: 200, goal: 0.9, guard: 0.5, door: same(pages[0]), floor: same(pages[0])},
		{name: "availability, all pages", status: 200, goal: 0.7, guard: 0.5, steps: len(pages), door: paged, floor: paged},
		{name: "availability/10 calendars", status: 200, goal: 1 / 1.2, guard: 0.45, inDoor: true, differ: true,
			door: same(open("busy")), floor: same(open("hour"))},
		{name: "tool list_bookings", status: 200, goal: 0.6, guard: 0.1, inDoor: true, differ: true,
			door: func(i int) string {
				return Tool("list_bookings", fmt.Sprintf(`{"limit":20,"from":%q}`, listed(i)))
			},
			floor: of("/api/v1/bookings?limit=20&from=%s", at)},
		{name: "tool check_availability", status: 200, goal: 0.6, guard: 0.1, inDoor: true, differ: true,
			door: func(i int) string {
				return Tool("check_availability",
					`{"eventType":"hour","timeZone":"Europe/Berlin","limit":20,"from":"`+from+`"}`)
			},
			floor: same(open("hour")[:len(open("hour"))-len("&days=60")] + "&limit=20")},
		{name: "booking page, month", status: 200, guard: 0.035, differ: true, door: same(month), floor: same("/static")},
		{name: "dashboard week of 1,400", status: 200, differ: true, alone: true,
			door: func(int) string { return b.week() }, floor: same("/static"), most: 15 * time.Millisecond, mostBytes: 100_000},
	}, posts...)
}

// pages are the addresses of all pages of a list.
func (b *bench) pages(first string) []string {
	pages := []string{first}
	for len(pages) < 20 {
		cursor := b.cursor(pages[len(pages)-1])
		if cursor == "" {
			break
		}
		pages = append(pages, first+"&cursor="+cursor)
	}
	return pages
}

// cursor is where the next page behind one begins; "" when there is none.
func (b *bench) cursor(path string) string {
	b.product.wake()
	defer b.product.sleep()
	c := b.product.conns[0]
	answer, err := c.Ask(c.Wire(Get(path)), 200, true)
	if err != nil {
		return ""
	}
	return nextCursor(answer)
}
