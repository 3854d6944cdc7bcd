// The official TypeScript client of one line as a guest's assistant, without a key: node guest.mjs 1|2 ADDRESS PERSON
import assert from "node:assert/strict";

const [line, address, person] = process.argv.slice(2);
const v2 = line === "2";
const { Client, StreamableHTTPClientTransport } = v2 ? await import("@modelcontextprotocol/client") : {
  ...(await import("@modelcontextprotocol/sdk/client/index.js")),
  ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
};
const client = new Client({ name: "guest", version: "1" }, v2 ? { versionNegotiation: { mode: "auto" } } : {});
await client.connect(new StreamableHTTPClientTransport(new URL(address)));
assert.match(client.getInstructions(), /list_services.*check_availability.*request_booking.*confirm_booking/s);
assert.equal((await client.listTools()).tools.length, 7);

async function call(name, args) {
  const r = await client.callTool({ name, arguments: args });
  assert.deepEqual(JSON.parse(r.content[0].text), r.structuredContent);
  return r;
}
async function get(name, args) {
  const r = await call(name, args);
  assert.ok(!r.isError, `${name}: ${r.content[0].text}`);
  return r.structuredContent;
}

const { business, services } = await get("list_services", {});
assert.equal(business.timeZone, "Europe/Berlin");
const open = await get("check_availability", { service: services[0].slug, days: 14 });
const slot = open.data.at(-1);
const asked = await get("request_booking", { service: services[0].slug, start: slot.start, name: "Mei Muster", email: "mei@mail.example" });
assert.equal(asked.status, "waits_for_confirmation");
assert.ok(!(await get("check_availability", { service: services[0].slug, days: 14 })).data.some((s) => s.start === slot.start));
const code = await (await fetch(person)).text();
const booking = await get("confirm_booking", { request: asked.request, code });
assert.equal(booking.start, slot.start);
const free = await get("check_availability", { service: services[0].slug, days: 14, link: booking.link });
const moved = await get("move_booking", { link: booking.link, start: free.data.at(-2).start });
assert.equal(moved.status, "rescheduled");
assert.equal((await get("get_booking", { link: booking.link })).start, moved.start);
assert.equal((await get("cancel_booking", { link: booking.link, reason: "ill" })).status, "cancelled");
assert.ok((await call("confirm_booking", { request: asked.request, code })).isError);
await client.close();
