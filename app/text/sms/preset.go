package sms

import "strings"

// Template returns the sender's template, that of its preset or its own; nil if it has none. It isn't to be changed.
func (s *Sender) Template() *Template {
	switch s.Preset {
	case Twilio:
		if serviceForm.MatchString(s.From) {
			return &twilioServiceTemplate
		}
		return &twilioTemplate
	case Seven:
		return &sevenTemplate
	case Android:
		return &phoneTemplate
	case Own:
		return s.Own
	}
	return nil
}

// home is where the service of a preset is, if the sender doesn't say.
func (s *Sender) home() string {
	if s.URL != "" {
		return strings.TrimRight(s.URL, "/")
	}
	return map[string]string{Twilio: "https://api.twilio.com", Seven: "https://gateway.seven.io/api",
		Android: "https://api.sms-gate.app/3rdparty/v1"}[s.Preset]
}

// twilioTemplate: the service takes no reference of ours, so its report is known by the callback's address. 21610 is its own list of people
// who sent STOP, which it answers itself; 21211 and the other 4xx are final, 20429 comes with a 429. The auth token
// signs; an API key (SK…, as User) needs it as SigningKey.
var twilioTemplate = Template{
	Method: "POST", URL: "{url}/2010-04-01/Accounts/{account}/Messages.json", Basic: true,
	Type: Form, Body: "To={to}&From={from}&Body={text}&StatusCallback={callback}",
	Answer: Answer{ID: "sid", Code: "code", Text: "message", Stopped: []string{"21610"}},
	Ask: &Ask{ID: "{url}/2010-04-01/Accounts/{account}/Messages/{id}.json", MessageID: "sid", State: "status",
		Why: "error_message|error_code", Delivered: []string{"delivered", "read"}, Failed: []string{"failed", "undelivered", "canceled"}},
	Posts: Form,
	Report: &Report{When: When{Path: "MessageStatus"}, Reference: "?ref", ID: "MessageSid", State: "MessageStatus",
		Why: "ErrorMessage|ErrorCode", Delivered: []string{"delivered", "read"}, Failed: []string{"failed", "undelivered", "canceled"}},
	Inbound: &Inbound{When: When{Path: "MessageSid"}, From: "From", Text: "Body", ID: "MessageSid", Media: "NumMedia",
		OptOut: "OptOutType"},
	Verify: Verify{Kind: TwilioProof}, AnswersStop: true,
}

var twilioServiceTemplate = func() Template {
	t := twilioTemplate
	t.Body = strings.Replace(t.Body, "From=", "MessagingServiceSid=", 1)
	return t
}()

// sevenTemplate reads codes, as the service answers 200 whatever it thinks, a number alone when the key is wrong. Its
// logbook has foreign_id, but is no proof that a text never came. Its documents say that the whole address is signed;
// the test of its own client verifies with the path, so both are taken.
var sevenTemplate = Template{
	Method: "POST", URL: "{url}/sms", Type: JSON,
	Headers: []Header{{"X-Api-Key", "{secret}"}, {"Accept", "application/json"}},
	Body:    `{"to":"{to}","from":"{from}","text":"{text}","foreign_id":"{reference}"}`,
	Answer: Answer{ID: "messages.0.id", Code: "success|error_code|code", Text: "messages.0.error_text|error_message",
		Taken: []string{"100"}, Again: []string{"11"}},
	Ask: &Ask{Reference: "{url}/journal/outbound?to={number}&limit=20", ID: "{url}/journal/outbound?id={id}&limit=1",
		Items: ".", Match: "foreign_id", MessageID: "id", State: "dlr", Why: "dlr",
		Delivered: []string{"DELIVERED"}, Failed: []string{"NOTDELIVERED", "EXPIRED", "REJECTED", "FAILED"}},
	Posts: JSON,
	Report: &Report{When: When{"webhook_event", []string{"dlr"}}, Reference: "data.foreign_id", ID: "data.msg_id",
		State: "data.status", Why: "data.status",
		Delivered: []string{"DELIVERED"}, Failed: []string{"NOTDELIVERED", "EXPIRED", "REJECTED", "FAILED"}},
	Inbound: &Inbound{When: When{"webhook_event", []string{"sms_mo"}}, From: "data.sender", Text: "data.text", ID: "data.id",
		Digits: true},
	Verify: Verify{Kind: HMACProof, Header: "X-Signature", Timestamp: "X-Timestamp", Nonce: "X-Nonce", Encoding: "hex",
		Signed: []string{"{timestamp}\n{nonce}\n{method}\n{url}\n{md5}", "{timestamp}\n{nonce}\n{method}\n{path}\n{md5}"}},
}

// phoneTemplate: the phone takes our reference as its id and refuses it with 409 when it comes again, so that nothing is sent twice. What
// it couldn't send within 4 h it drops. A delivery report comes for each segment; the id of a person's message is not
// unique, that of the event is. The phone is told of each event's address by itself: sms:received, sms:delivered,
// sms:failed and mms:downloaded; mms:received comes before the last of them, and counts as nothing.
var phoneTemplate = Template{
	Method: "POST", URL: "{url}/messages", Basic: true, Type: JSON,
	Body:   `{"id":"{reference}","textMessage":{"text":"{text}"},"phoneNumbers":["{to}"],"withDeliveryReport":true,"ttl":14400}`,
	Answer: Answer{ID: "id", Text: "message", Known: []int{409}},
	Ask: &Ask{Reference: "{url}/messages/{reference}", ID: "{url}/messages/{id}", MessageID: "id", State: "state",
		Why: "recipients.0.error", Delivered: []string{"Delivered"}, Failed: []string{"Failed", "Cancelled"}, Whole: true},
	Posts: JSON,
	Report: &Report{When: When{"event", []string{"sms:sent", "sms:delivered", "sms:failed", "sms:cancelled"}},
		Reference: "payload.messageId", ID: "payload.messageId", State: "event", Why: "payload.reason",
		Delivered: []string{"sms:delivered"}, Failed: []string{"sms:failed", "sms:cancelled"}},
	Inbound: &Inbound{When: When{"event", []string{"sms:received", "mms:downloaded"}}, From: "payload.sender|payload.phoneNumber",
		Text: "payload.message|payload.body", ID: "id", Media: "payload.attachments"},
	Verify: Verify{Kind: HMACProof, Header: "X-Signature", Timestamp: "X-Timestamp", Encoding: "hex",
		Signed: []string{"{body}{timestamp}"}},
}
