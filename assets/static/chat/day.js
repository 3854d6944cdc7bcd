// Bookings by day and by host. Rows are short or whole, as they were asked for.
const name = (x) => (typeof x === "object" && x ? x.name : x) || "";
const cost = (x) => (typeof x === "object" && x ? amount(x) : x) || "";
const group = (rows, by) => rows.reduce((all, r) => all.set(by(r), [...(all.get(by(r)) || []), r]), new Map());
draw = () => {
	const rows = (answer.data || []).filter((r) => r.local);
	view.append(el("h1", {}, word("bookings")));
	if (!rows.length) view.append(el("p", {}, word("nobody")));
	for (const [date, booked] of [...group(rows, (r) => r.local.slice(0, 10))].sort()) {
		view.append(el("h2", {}, day(date + "T12:00:00")));
		view.append(el("div", { class: "people" }, ...[...group(booked, (r) => name(r.host))].sort().map(([who, theirs]) =>
			el("section", { "aria-label": who }, el("h2", {}, who), el("ul", {}, ...theirs.sort((a, b) => (a.local < b.local ? -1 : 1)).map(entry))))));
	}
	if (answer.hasMore) view.append(el("p", { class: "muted" }, word("more")));
};

function entry(r) {
	const minutes = r.minutes ?? (new Date(r.end) - new Date(r.start)) / 60000;
	const ends = minutes ? "–" + clock(new Date(+wall(r.local) + minutes * 60000).toISOString()) : "";
	const off = ["cancelled", "declined", "expired"].includes(r.status), state = texts[lang]["is_" + r.status];
	return el("li", { class: off ? "booked off" : "booked" },
		el("b", {}, `${clock(r.local)}${ends} ${name(r.invitee)}`),
		el("span", {}, [r.eventType, r.series, cost(r.due ?? r.price)].filter((x) => typeof x === "string" && x).join(" · ")),
		state && el("span", {}, state));
}
