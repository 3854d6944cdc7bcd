// Package sms is the wire of text messages: how one is handed to a service that sends them, how the service is asked
// what became of it, and how what the service posts is verified and read. A Sender is data; its template says what a
// service's requests and answers look like. It knows no queue, no workspace and no booking.
//
// The presets follow, as of November 2026:
//
//   - Twilio: docs/messaging/api/message-resource, docs/messaging/guides/webhook-request,
//     docs/messaging/guides/outbound-message-status-in-status-callbacks, docs/usage/security, docs/api/errors at
//     www.twilio.com; the request validators of github.com/twilio/twilio-go and github.com/twilio/twilio-python, which
//     differ in parameters that come twice.
//   - seven.io: rest-api/endpoints/sms, …/logbook, rest-api/webhooks and rest-api/signing at docs.seven.io; yml/openapi.yml
//     of github.com/seven-io/api-schemes; StatusCode.php and Client.php of github.com/seven-io/php-client,
//     WebhookVerifier.ts of github.com/seven-io/js-client.
//   - Android: docs/features/webhooks.md and sending-messages.md of github.com/android-sms-gateway/docs-web;
//     MessagesRoutes.kt, WebService.kt and PayloadSingingPlugin.kt of github.com/capcom6/android-sms-gateway; the handler of
//     messages of github.com/android-sms-gateway/server.
//
// None was tried at the real service.
package sms
