// The official TypeScript client against the door: node client.mjs http|sse BASE_URL KEY READ_ONLY_KEY
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, base, key, readOnlyKey] = process.argv.slice(2);

function transport(key) {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  if (kind === "http") return new StreamableHTTPClientTransport(new URL("/api/mcp", base), { requestInit });
  return new SSEClientTransport(new URL("/api/sse", base), { requestInit });
}

async function connect(key) {
  const client = new Client({ name: "daybook-test", version: "1" });
  await client.connect(transport(key));
  await client.listTools(); // from here on, the client holds answers against the output schemas
  return client;
}

const client = await connect(key);
assert.equal(client.getServerVersion().name, "daybook");
assert.match(client.getInstructions(), /list_event_types.*check_availability.*create_booking/s);
const { tools } = await client.listTools();
assert.equal(tools.length, 10);

async function call(name, args, c = client) {
  const r = await c.callTool({ name, arguments: args });
  assert.deepEqual(JSON.parse(r.content[0].text), r.structuredContent);
  return r;
}
async function get(name, args) {
  const r = await call(name, args);
  assert.ok(!r.isError, `${name}: ${r.content[0].text}`);
  return r.structuredContent;
}
async function fails(code, name, args, c) {
  const r = await call(name, args, c);
  assert.ok(r.isError, `${name} did not fail`);
  assert.equal(r.structuredContent.error.code, code);
  return r.structuredContent.error;
}

const [service] = (await get("list_event_types", {})).data;
const open = await get("check_availability", { eventType: service.slug, days: 3, timeZone: "America/New_York" });
const [first, second] = open.data.slice(3);
const invitee = { name: "Mei Muster", email: `${kind}@x.example` };
const booking = await get("create_booking", { eventType: service.slug, start: first.start, invitee });
assert.equal(booking.start, first.start);
assert.equal((await fails("conflict", "create_booking", { eventType: service.slug, start: first.start, invitee })).details.bookingId, booking.id);
const taken = await fails("conflict", "create_booking", { eventType: service.slug, start: first.start, invitee: { name: "Bo", email: "bo@x.example" } });
assert.match(taken.message, /These are free: /);
assert.equal((await get("reschedule_booking", { id: booking.id, start: second.start })).status, "rescheduled");
assert.equal((await get("list_bookings", { invitee: invitee.email })).data.length, 1);
await fails("conflict", "mark_no_show", { id: booking.id });
assert.equal((await get("cancel_booking", { id: booking.id, reason: "ill" })).status, "cancelled");
assert.equal((await get("list_bookings", { invitee: invitee.email })).data.length, 0);
assert.equal((await get("list_contacts", { q: "mus" })).data.length >= 1, true);
const contact = await get("create_contact", { name: "Ed", email: "ed@x.example" });
assert.equal((await get("create_contact", { name: "Edward", email: "ED@x.example" })).id, contact.id);
assert.ok((await get("analytics_overview", {})).totals.cancelled >= 1);
assert.equal((await fails("bad_request", "check_availability", { eventType: service.slug, days: "seven" })).message, 'days: must be a whole number, got "seven"');
await fails("bad_request", "cancel_booking", { id: booking.id, force: true });
await assert.rejects(client.callTool({ name: "delete_everything", arguments: {} }), /not found/);

const reader = await connect(readOnlyKey);
assert.equal((await reader.listTools()).tools.length, 10);
await fails("forbidden", "create_contact", { name: "Ed", email: "e@x.example" }, reader);
assert.ok(!(await call("list_bookings", {}, reader)).isError);
await reader.close();

await assert.rejects(connect("dbk_wrong"), (e) => e.code === 401);
await client.close();
console.log("ok");
