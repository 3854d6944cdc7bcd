// The official TypeScript client of one line against the sets of tools, the prompts, the views and the forms: node sets.mjs
// 1|2 BASE_URL KEYS, the keys as JSON: desk may everything, plain is a full key without areas, look only reads, write is a
// sign-in at the desk's address that may book and no more.
import assert from "node:assert/strict";

const [line, base, given] = process.argv.slice(2);
const keys = JSON.parse(given);
const v2 = line === "2";
const lib = v2 ? await import("@modelcontextprotocol/client") : {
  ...(await import("@modelcontextprotocol/sdk/client/index.js")),
  ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
  ...(await import("@modelcontextprotocol/sdk/types.js")),
};

// asked has what the person was asked by forms, person what they answer.
const asked = [];
let person = () => assert.fail("nobody is to be asked");

async function connect(path, key = keys.desk, forms = true) {
  const client = new lib.Client({ name: "daybook-test", version: "1" }, {
    capabilities: forms ? { elicitation: { form: {} } } : {},
    ...(v2 && { versionNegotiation: { mode: "auto" } }),
  });
  const answer = async ({ params }) => { asked.push(params); return person(params); };
  if (forms) client.setRequestHandler(v2 ? "elicitation/create" : lib.ElicitRequestSchema, answer);
  await client.connect(new lib.StreamableHTTPClientTransport(new URL(path, base), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
  await client.listTools(); // from here on, the client holds answers against the output schemas
  return client;
}

async function call(c, name, args = {}) {
  const r = await c.callTool({ name, arguments: args });
  assert.deepEqual(JSON.parse(r.content[0].text), r.structuredContent);
  return r;
}
async function get(c, name, args) {
  const r = await call(c, name, args);
  assert.ok(!r.isError, `${name}: ${r.content[0].text}`);
  return r.structuredContent;
}
async function fails(c, reason, name, args) {
  const r = await call(c, name, args);
  assert.ok(r.isError, `${name} did not fail: ${r.content[0].text}`);
  const { code, details } = r.structuredContent.error;
  assert.equal(details?.reason ?? code, reason, r.content[0].text);
}
// shown makes the dry run of a call, and then does what it has shown.
async function shown(c, name, args) {
  await fails(c, "confirm_needed", name, args);
  const dry = await get(c, name, { ...args, dryRun: true });
  assert.ok(dry.dryRun && dry.confirm, name);
  const done = await get(c, name, { ...args, confirm: dry.confirm });
  assert.deepEqual((await fails(c, "confirm_other", name, { ...args, confirm: "of nobody" })), undefined);
  return done;
}

// Sets: each address has its tools, and each credential what it may.
const ten = await connect("/api/mcp", keys.desk, false);
const desk = await connect("/api/mcp/desk", keys.desk, false);
const owner = await connect("/api/mcp/owner", keys.desk, false);
if (v2) assert.equal(ten.getNegotiatedProtocolVersion(), "2026-07-28");
for (const [c, n] of [[ten, 10], [desk, 22], [owner, 25]]) assert.equal((await c.listTools()).tools.length, n);
await assert.rejects(ten.callTool({ name: "take_payment", arguments: {} }), /not found/);
await assert.rejects(desk.callTool({ name: "update_service", arguments: {} }), /not found/);
await fails(await connect("/api/mcp/owner", keys.plain, false), "area", "update_service", { service: "cut", title: "Cut" });
await fails(await connect("/api/mcp/owner", keys.look, false), "read_only_key", "resend", { id: "bk_0000000000000" });
const writer = await connect("/api/mcp/desk", keys.write, false);
await get(writer, "create_contact", { name: "Ed", email: "ed@x.example" });
await assert.rejects(writer.callTool({ name: "mark_arrived", arguments: { id: "bk_0000000000000" } }), /403|insufficient_scope|Insufficient/);
await assert.rejects(connect("/api/mcp/owner", keys.write), (e) => (e.code ?? e.data?.status) === 401 || e.status === 401 || /401/.test(e));

// Prompts
const { prompts } = await desk.listPrompts();
assert.deepEqual(prompts.map((p) => p.name).sort(), ["close_the_day", "morning", "stylist_ill"]);
const ill = await desk.getPrompt({ name: "stylist_ill", arguments: { host: 'Ana" and more' } });
assert.match(ill.messages[0].content.text, /^"Ana' and more" is ill, until: "today".*set_time_off/s);
assert.doesNotMatch((await ten.getPrompt({ name: "stylist_ill", arguments: { host: "Ana" } })).messages[0].content.text, /set_time_off/);
await assert.rejects(desk.getPrompt({ name: "stylist_ill", arguments: {} }), /host/);

// Views: the server says that it has them, the tools say which one is theirs, and each is read.
assert.ok(desk.getServerCapabilities().extensions["io.modelcontextprotocol/ui"]);
const { resources } = await desk.listResources();
assert.equal(resources.length, 3);
const of = new Set((await desk.listTools()).tools.map((t) => t._meta?.ui?.resourceUri).filter(Boolean));
assert.deepEqual([...of].sort(), resources.map((r) => r.uri).sort());
for (const uri of of) {
  assert.match(uri, /^ui:\/\/daybook\//);
  const [view] = (await desk.readResource({ uri })).contents;
  assert.equal(view.mimeType, "text/html;profile=mcp-app");
  assert.ok(view.text.startsWith("<!doctype html>") && view.text.length < 60_000, uri);
}
await assert.rejects(desk.readResource({ uri: "ui://daybook/none" }), (e) => /not found/.test(e) && (!v2 || e instanceof lib.ResourceNotFoundError));

// Several at once
const day = (d, h) => `2026-12-${String(d).padStart(2, "0")}T${String(h).padStart(2, "0")}:00:00Z`;
const book = (c, service, start, name, more) => get(c, "create_booking", { eventType: service, start, invitee: { name, email: `${name}@x.example` }, ...more });
const three = [];
for (const h of [8, 9, 10]) three.push(await book(ten, "cut", day(1, h), `p${h}`));
const ids = three.map((b) => b.id);
const moves = (d) => ids.map((id, i) => ({ id, start: day(d, 8 + i) }));
const moved = await shown(ten, "reschedule_booking", { moves: moves(2) });
assert.equal(moved.results.length, 3);
assert.ok(moved.results.every((r) => r.status === "rescheduled" && r.local.startsWith("2026-12-02")), JSON.stringify(moved));

// Forms. The client of 2.x speaks 2026-07-28, in which a call is answered by the form and made again with what the person
// said. That of 1.x speaks 2025-11-25 at most (its LATEST_PROTOCOL_VERSION): there a server asks by a request of its own
// over a session, which this server, being stateless, doesn't have. So the person of 1.x is asked by the model instead, as
// the failure tells it: nothing is done, and no form is shown.
const forms = await connect("/api/mcp");
const formsAtDesk = await connect("/api/mcp/desk");
const nameOnly = { eventType: "cut", start: day(3, 8), invitee: { name: "Mei" } };
const taking = { id: ids[0], method: "cash", tip: 500 };
if (v2) {
  const says = (action, content) => { person = () => ({ action, ...(content && { content }) }); };
  const last = () => asked.at(-1);
  says("decline");
  await fails(forms, "contact_missing", "create_booking", nameOnly);
  says("cancel");
  await fails(forms, "contact_missing", "create_booking", nameOnly);
  says("accept", { phone: "030 901820" });
  const mei = await get(forms, "create_booking", nameOnly);
  assert.equal(mei.invitee.phone, "+4930901820");
  assert.match(last().message, /Mei/);
  assert.deepEqual(Object.keys(last().requestedSchema.properties), ["phone", "email"]);
  says("decline");
  await fails(forms, "not_agreed", "reschedule_booking", { moves: moves(4) });
  says("accept", { agree: false });
  await fails(forms, "not_agreed", "reschedule_booking", { moves: moves(4) });
  says("accept", { agree: true });
  const agreed = await get(forms, "reschedule_booking", { moves: moves(4) });
  assert.ok(agreed.results.every((r) => r.local.startsWith("2026-12-04")));
  assert.equal(last().message, "Move 3 bookings, and tell 5 people?");
  assert.equal((await get(formsAtDesk, "take_payment", taking)).due.amount, 0);
  assert.equal(last().message, "Take a payment at the desk: EUR 45.00, and a tip of EUR 5.00?");
  assert.equal(asked.length, 7);
  assert.equal((await get(forms, "cancel_booking", { ids: [mei.id] })).done, 1);
  assert.equal(asked.length, 8);
} else {
  assert.equal(lib.LATEST_PROTOCOL_VERSION, "2025-11-25");
  await fails(forms, "contact_missing", "create_booking", nameOnly);
  await fails(forms, "confirm_needed", "reschedule_booking", { moves: moves(4) });
  await fails(formsAtDesk, "confirm_needed", "take_payment", taking);
  assert.equal(asked.length, 0);
  assert.equal((await shown(formsAtDesk, "take_payment", taking)).due.amount, 0);
}
assert.equal((await shown(ten, "cancel_booking", { ids: ids.slice(1), reason: "ill" })).done, 2);

// The desk's day: every tool of it is answered, and its answer holds its schema.
const walkIn = await get(desk, "create_booking", { eventType: "both", walkIn: true });
assert.equal(walkIn.invitee.name, "Walk-in");
assert.ok((await get(desk, "mark_arrived", { id: walkIn.id })).arrivedAt);
await shown(desk, "take_payment", { id: walkIn.id, method: "cash", tip: 500, tendered: 6000 });
assert.ok((await get(desk, "mark_done", { id: walkIn.id })).doneAt);
assert.ok(!(await get(desk, "undo", { id: walkIn.id })).doneAt);
const asks = await book(desk, "bridal", day(7, 8), "anna");
assert.equal(asks.status, "pending");
assert.equal((await shown(desk, "approve_booking", { id: asks.id, decision: "approve" })).status, "confirmed");
await get(desk, "update_booking", { id: asks.id, notes: "brings her dog" });
const sent = await call(desk, "resend", { id: asks.id });
assert.ok(!sent.isError || ["sent_lately", "overtaken"].includes(sent.structuredContent.error.details.reason), sent.content[0].text);
const [anna] = (await get(desk, "list_contacts", { q: "anna" })).data;
assert.deepEqual((await get(desk, "update_contact", { id: anna.id, addTags: ["vip"] })).tags, ["vip"]);
assert.equal((await get(desk, "list_contacts", { minNoShows: 1, since: "2026-09-01" })).data.length, 0);
const sold = await shown(desk, "sell_voucher", { amount: 5000, method: "card" });
assert.ok(sold.code);
assert.equal((await get(desk, "join_waitlist", { services: [{ service: "cut" }], wishes: [{ from: "2026-12-09", to: "2026-12-10" }], invitee: { name: "Wa", email: "wa@x.example" } })).status, "waiting");
const held = await get(desk, "hold_time", { eventType: "cut", start: day(8, 8) });
const ofHeld = await book(desk, "cut", day(8, 8), "hal", { hold: held.id });
await shown(desk, "take_payment", { id: ofHeld.id, method: "voucher", pass: sold.code });
const sick = await book(desk, "both", day(9, 8), "sid", { host: "Ana" });
const off = await shown(desk, "set_time_off", { host: "Ana", start: "2026-12-09", end: "2026-12-09", bookings: "move", message: "Ana is ill." });
assert.deepEqual(off.bookings.map((b) => [b.id, b.state, b.host]), [[sick.id, "moved", "Bo"]]);
assert.ok((await get(desk, "analytics_overview", { from: "2026-11-30" })).byHost.length > 0);

// The owner's
await get(owner, "update_service", { service: "cut", price: { amount: 4800 } });
assert.equal((await get(owner, "hours", { host: "Ana", weekly: { mon: ["10:00-14:00"] } })).hosts[0].name, "Ana");
assert.equal((await get(owner, "hosts", {})).hosts.length, 2);
console.log("ok");
process.exit(0);
