// Expands calendars by ical.js, the library of Thunderbird: it reads the files, iterates the rules and knows the changes
// of the clocks from the VTIMEZONEs. Standard input is JSON: [{text, from, to, host}]; so is the answer: a list of
// {spans: {UID: [[start, end]]}} in ms. Sets of instances are made here by instants, because ical.js compares EXDATEs in order, and loses some.
const ICAL = require(process.argv[2]);

// offsetsAround are those before and after the change that is nearest to a wall time, and the instant of that change.
// ical.js itself reads a time in a gap with the offset after it, and of an hour that comes twice the second.
function instant(t, host) {
	const zone = t.isDate || t.zone.tzid === "floating" ? host : t.zone;
	const wall = Date.UTC(t.year, t.month - 1, t.day, t.hour, t.minute, t.second) / 1000;
	if (zone === ICAL.Timezone.utcTimezone) return wall;
	zone._ensureCoverage(t.year + 1);
	let offset;
	for (const c of zone.changes) {
		const at = Date.UTC(c.year, c.month - 1, c.day, c.hour, c.minute, c.second) / 1000;
		offset ??= c.prevUtcOffset;
		if (wall - offset < at) return wall - offset; // before the change, or the first of two
		if (wall - c.utcOffset < at) return wall - offset; // in the gap
		offset = c.utcOffset;
	}
	return wall - offset;
}

function length(c, host) {
	const start = c.getFirstPropertyValue("dtstart"), end = c.getFirstPropertyValue("dtend"), d = c.getFirstPropertyValue("duration");
	if (d) return {days: d.weeks * 7 + d.days, seconds: d.hours * 3600 + d.minutes * 60 + d.seconds};
	if (!end) return {days: start.isDate ? 1 : 0, seconds: 0};
	if (end.isDate && start.isDate) return {days: end.subtractDate(start).toSeconds() / 86400, seconds: 0};
	const exact = instant(end, host) - instant(start, host); // not positive: it begins in a gap
	return {days: 0, seconds: exact > 0 ? exact : end.subtractDate(start).toSeconds()};
}

function ends(t, l, host) {
	if (l.days === 0) return instant(t, host) + l.seconds;
	const c = t.clone();
	c.adjust(l.days, 0, 0, 0);
	return instant(c, host) + l.seconds;
}

function free(c, self) {
	return c.getFirstPropertyValue("transp") === "TRANSPARENT" || c.getFirstPropertyValue("status") === "CANCELLED" ||
		c.getAllProperties("attendee").some(a => a.getParameter("partstat") === "DECLINED" && a.getFirstValue() === "mailto:" + self);
}

function values(c, name) {
	return c.getAllProperties(name).flatMap(p => p.getValues());
}

function expand({text, from, to, host: name, self}) {
	const found = {};
	ICAL.TimezoneService.reset();
	const calendar = new ICAL.Component(ICAL.parse(text));
	calendar.getAllSubcomponents("vtimezone").forEach(z => ICAL.TimezoneService.register(z));
	const host = ICAL.TimezoneService.get(name);
	let spans;
	const add = (start, end) => { if (end > start && start * 1000 < to && end * 1000 > from) spans.push([start * 1000, end * 1000]); };
	const byUID = new Map();
	for (const c of calendar.getAllSubcomponents("vevent")) {
		const uid = c.getFirstPropertyValue("uid");
		byUID.set(uid, [...byUID.get(uid) ?? [], c]);
	}
	for (const [uid, all] of byUID) {
		spans = [];
		const overrides = all.filter(c => c.hasProperty("recurrence-id"));
		for (const o of overrides) {
			const start = o.getFirstPropertyValue("dtstart");
			if (!free(o, self)) add(instant(start, host), ends(start, length(o, host), host));
		}
		const gone = new Set(overrides.map(o => instant(o.getFirstPropertyValue("recurrence-id"), host)));
		const futures = overrides.filter(o => o.getFirstProperty("recurrence-id").getParameter("range") === "THISANDFUTURE")
			.sort((a, b) => instant(a.getFirstPropertyValue("recurrence-id"), host) - instant(b.getFirstPropertyValue("recurrence-id"), host));
		for (const c of all.filter(c => !c.hasProperty("recurrence-id") && !free(c, self))) {
			const start = c.getFirstPropertyValue("dtstart"), usual = length(c, host);
			const out = new Set(gone);
			const days = new Set();
			for (const x of values(c, "exdate")) {
				if (x.isDate && !start.isDate) days.add(x.toString());
				else out.add(instant(x, host));
			}
			const take = (t, end) => {
				const at = instant(t, host);
				if (out.has(at) || days.has(t.toString().slice(0, 10))) return;
				const f = futures.findLast(o => instant(o.getFirstPropertyValue("recurrence-id"), host) <= at);
				if (!f) return add(at, end ?? ends(t, usual, host));
				if (free(f, self)) return;
				const moved = t.clone(), was = f.getFirstPropertyValue("recurrence-id"), is = f.getFirstPropertyValue("dtstart");
				const by = is.subtractDate(was).toSeconds();
				moved.adjust(t.isDate ? by / 86400 : 0, 0, 0, t.isDate ? 0 : by); // dates have no seconds
				add(instant(moved, host), ends(moved, length(f, host), host));
			};
			take(start);
			for (const r of values(c, "rrule")) {
				const i = r.iterator(start);
				for (let t = i.next(), n = 0; t; t = i.next()) {
					const wall = Date.UTC(t.year, t.month - 1, t.day);
					if (wall > to + 30 * 864e5) break;
					if (++n > 20000) throw new Error("too many instances: " + r);
					if (n === 1 && t.compare(start) !== 0) throw new Error(start + " is no instance of " + r + ", but " + t);
					if (wall > from - 30 * 864e5) take(t); // none is longer, or moved further
				}
			}
			for (const d of values(c, "rdate")) {
				if (d instanceof ICAL.Period) take(d.start, d.end ? instant(d.end, host) : ends(d.start, {days: d.duration.weeks * 7 + d.duration.days, seconds: d.duration.hours * 3600 + d.duration.minutes * 60 + d.duration.seconds}, host));
				else take(d);
			}
		}
		spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
		let last = -Infinity;
		found[uid] = spans.filter(s => s[1] > last && (last = s[1], true));
	}
	return found;
}

const answers = JSON.parse(require("fs").readFileSync(0, "utf8")).map(one => {
	try {
		return {spans: expand(one)};
	} catch (e) {
		return {error: String(e)};
	}
});
console.log(JSON.stringify(answers));
