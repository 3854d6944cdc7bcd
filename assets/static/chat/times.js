// Open times to choose from: a day, a time, and with whom where that is left.
let onDay = "", time = null, done = false;
draw = () => {
	const times = answer.data || [];
	const days = [...new Set(times.map((t) => t.local.slice(0, 10)))];
	view.append(el("h1", {}, word("times")));
	if (!days.length) {
		view.append(el("p", {}, word("none")));
		if (answer.nextAvailable) view.append(el("p", {}, word("next", { when: nextOpen() })));
		return;
	}
	if (!days.includes(onDay)) [onDay, time] = [days[0], null];
	if (days.length > 1) {
		view.append(el("div", { class: "days", role: "group", "aria-label": word("days") }, ...days.map((d) =>
			el("button", { type: "button", "aria-pressed": String(d === onDay), on: () => { onDay = d; time = null; done = false; again(); } }, day(d + "T12:00:00", "short")))));
	}
	const first = times.find((t) => t.local.slice(0, 10) === onDay);
	view.append(el("h2", {}, day(first.local)));
	view.append(el("div", { class: "times" }, ...times.filter((t) => t.local.slice(0, 10) === onDay).map(choice)));
	if (answer.hasMore) view.append(el("p", { class: "muted" }, word("more")));
	if (time) view.append(asking());
	if (answer.timeZone) view.append(el("p", { class: "muted" }, word("zone", { zone: answer.timeZone.replaceAll("_", " ") })));
};

const nextOpen = () => new Intl.DateTimeFormat(tag, { timeZone: answer.timeZone, dateStyle: "full", timeStyle: "short" }).format(new Date(answer.nextAvailable));

const service = (t) => t.eventType || "";

const choice = (t) => el("button", {
	type: "button", disabled: !speaks(), "aria-pressed": String(t === time),
	on: () => { time = t; done = false; again(); },
}, clock(t.local), service(t) && el("small", {}, service(t)), t.seatsRemaining !== undefined && el("small", {}, word("seats", { count: t.seatsRemaining })));

function asking() {
	if (done) return el("p", { role: "status" }, word("asked"));
	const people = (time.hostNames || []).map((name, i) => ({ name, id: time.hosts[i] }));
	const who = people.length > 1 && el("select", { "aria-label": word("who") }, el("option", { value: "" }, word("anyone")),
		...people.map((p) => el("option", { value: p.id }, p.name)));
	return el("div", { class: "row" }, who, el("button", { type: "button", class: "main", on: async () => {
		const one = people.length === 1 ? people[0] : people.find((p) => who && p.id === who.value);
		const when = `${day(time.local)}, ${clock(time.local)}`;
		done = true;
		try {
			await say(one ? word("wantWith", { when, host: one.name, start: time.start }) : word("want", { when, start: time.start }));
		} catch { done = false; }
		again();
	} }, word("ask", { when: `${day(time.local, "short")}, ${clock(time.local)}` })));
}
