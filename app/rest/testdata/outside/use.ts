// How an integrator uses the generated types: compiled by tsc --strict, never run.
import type { components, webhooks } from "./api";

type Schemas = components["schemas"];

export function told(e: Schemas["Event"]): string {
  switch (e.event) {
    case "booking.no_show":
      return e.data.fee?.status ?? "no fee";
    case "payment.succeeded":
    case "payment.refunded":
    case "payment.failed":
      return e.data.bookingId + e.data.refundedAmount.toFixed();
    case "payment.recorded":
    case "payment.voided":
      return e.data.bookingId + e.data.method + e.data.tip.toFixed();
    case "booking.created":
    case "booking.rescheduled":
    case "booking.cancelled":
    case "booking.pending":
    case "booking.approved":
    case "booking.declined":
    case "booking.lapsed":
    case "booking.confirmed_by_invitee":
    case "booking.not_coming":
      return e.data.id + e.data.reason;
    case "contact.created":
      return e.data.id + e.data.createdAt;
    case "calendar.failed":
      return e.data.id + e.data.host.name;
    case "resource.calendar_failed":
      return e.data.id + e.data.resource.name;
    case "waitlist.joined":
    case "waitlist.offered":
    case "waitlist.booked":
    case "waitlist.ended":
      return e.data.id + e.data.eventTypes.join() + (e.data.bookingId ?? "");
    default: {
      const none: never = e;
      return none;
    }
  }
}

export const cancel: Schemas["CancelRequest"] = { reason: "ill" }; // refund has a default and is not required
export const taken: Schemas["ErrorDetails"]["reason"] = "already_booked";
// @ts-expect-error there is no such reason
export const slip: Schemas["ErrorDetails"]["reason"] = "slot_takn";
export const off: Schemas["EventType"]["mailsOff"] = ["reminder"];
// @ts-expect-error there is no such state
export const state: Schemas["Payment"]["status"] = "settled";
// @ts-expect-error a field that is not there
export const field: Schemas["BookingRequest"] = { eventType: "cut", start: "x", invitee: { name: "a", email: "b" }, coupon: true };
export type Body = webhooks["booking.created"]["post"]["requestBody"]["content"]["application/json"]["event"];
export const kind: Body = "booking.created";
