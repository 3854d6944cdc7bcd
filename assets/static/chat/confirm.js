// What a call would do, or did: for whom, when, what it costs and who is told. A dry run asks whether to go on.
let said = "";
draw = () => {
	const dry = answer.dryRun === true, what = dry ? answer.result : answer;
	view.append(el("h1", {}, word(dry ? "sure" : "done")));
	const facts = el("dl");
	const fact = (key, value) => value && facts.append(el("dt", {}, word(key)), el("dd", {}, value));
	for (const one of what?.items || [what]) if (one?.local) booked(one, fact);
	for (const one of what?.results || []) fact(one.error ? "refused" : "is", one.error ? one.error.message : `${one.local ? `${day(one.local, "short")}, ${clock(one.local)}` : one.id} ${one.host || ""}`);
	for (const key of ["paid", "tip", "discounted", "change", "due"]) {
		if (!what?.local && what?.[key]?.amount) fact(key, amount(what[key])); // of a booking the price says it
	}
	if (what?.bookings) absence(what, fact);
	if (what?.dates) for (const one of what.dates) if (one.local) fact("date", `${day(one.local, "short")}, ${clock(one.local)}`);
	const money = answer.money || {};
	for (const key of ["now", "onSite", "fee", "refund"]) fact(key, money[key] && amount(money[key]));
	if (dry) fact("told", told());
	view.append(facts);
	if (!dry) return;
	if (said) view.append(el("p", { role: "status" }, word("asked")));
	else if (speaks()) view.append(el("div", { class: "row" }, reply("yes", "main"), reply("no", false)));
};

function booked(b, fact) {
	fact("when", `${day(b.local)}, ${clock(b.local)}`);
	fact("service", b.eventType);
	fact("host", typeof b.host === "object" ? b.host?.name : b.host);
	fact("for", [b.invitee?.name ?? b.invitee, b.invitee?.phone || b.invitee?.email].filter(Boolean).join(", "));
	if (b.price && typeof b.price === "object") fact("price", amount(b.price));
	fact("state", texts[lang]["is_" + b.status]);
}

// absence is a time off, with what becomes of the bookings in it.
function absence(off, fact) {
	const at = (local) => `${day(local, "short")}, ${clock(local)}`;
	fact("host", off.host === "all" ? word("all") : off.host);
	fact("from", at(off.start));
	fact("until", at(off.end));
	for (const b of off.bookings) fact("is", [at(b.local), b.invitee, b.eventType, texts[lang]["is_" + b.state], b.host, b.why].filter(Boolean).join(", "));
}

function told() {
	const all = (answer.told || []).filter((t) => t.who !== "endpoint");
	if (!all.length) return word("nobodyTold");
	return all.map((t) => (t.to?.includes("@") || t.to?.startsWith("+") ? `${texts[lang]["who_" + t.who] || t.who} (${t.to})` : texts[lang]["who_" + t.who] || t.who)).join(", ");
}

const reply = (key, main) => el("button", { type: "button", class: main, on: async () => {
	said = key;
	try { await say(word(key + "Say")); } catch { said = ""; }
	again();
} }, word(key));
