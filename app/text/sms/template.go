package sms

// Template says what the requests and answers of a service look like. In its texts {to}, {number} (the same without its
// plus), {from}, {text}, {reference}, {callback}, {account}, {user}, {url} and {id} stand for their values, each escaped
// for its place. {secret} may stand in headers and in the body, never in an address. A field of a form or of JSON that
// holds nothing but one of them is left out where that is empty.
//
// A place in what the service sends is a path such as messages.0.id: names and indexes, joined by dots; . is the whole.
// ?name is a parameter of the address instead. a|b is the first of them that isn't empty.
type Template struct {
	Method  string   `json:"method"` // POST, PUT or GET
	URL     string   `json:"url"`
	Headers []Header `json:"headers,omitempty"`
	Basic   bool     `json:"basic,omitempty"` // User and Secret are sent by Basic authentication
	Type    Type     `json:"type,omitempty"`  // of Body
	Body    string   `json:"body,omitempty"`

	Answer Answer `json:"answer"`
	Ask    *Ask   `json:"ask,omitempty"` // nil: the service can't be asked

	Posts       Type     `json:"posts,omitempty"`   // what the service posts
	Report      *Report  `json:"report,omitempty"`  // nil: it posts no delivery reports
	Inbound     *Inbound `json:"inbound,omitempty"` // nil: it posts no messages of people
	Verify      Verify   `json:"verify"`            // how it is known that the service posts
	AnswersStop bool     `json:"answersStop,omitempty"`
}

// Header is one of a request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Type is that of a body.
type Type string

// The types of bodies; NoBody has none.
const (
	NoBody Type = ""
	JSON   Type = "json"
	Form   Type = "form" // application/x-www-form-urlencoded
)

// Answer says what the service's answer to a text means, beyond its HTTP status.
type Answer struct {
	ID      string   `json:"id,omitempty"`      // place of the message's id
	Code    string   `json:"code,omitempty"`    // place of the code of the outcome; an answer that is one number or text is that code
	Text    string   `json:"text,omitempty"`    // place of what is wrong, in words
	Taken   []string `json:"taken,omitempty"`   // codes by which a 2xx has taken the text; none: every 2xx has
	Again   []string `json:"again,omitempty"`   // codes that mean: not now
	Stopped []string `json:"stopped,omitempty"` // codes that mean: this number wants no more texts
	Known   []int    `json:"known,omitempty"`   // statuses by which the service has taken a text of this reference before
}

// Ask says how to ask for a message. Both addresses are asked by GET, with Headers and Basic.
type Ask struct {
	Reference string   `json:"reference,omitempty"` // address to ask by our reference; "": it can't be
	ID        string   `json:"id,omitempty"`        // address to ask by the service's id; "": it can't be
	Items     string   `json:"items,omitempty"`     // place of a list of messages; "": the answer is the message
	Match     string   `json:"match,omitempty"`     // place of our reference in each of the list
	MessageID string   `json:"messageId,omitempty"` // place of the id
	State     string   `json:"state,omitempty"`     // place of the state
	Why       string   `json:"why,omitempty"`       // place of why it failed
	Delivered []string `json:"delivered,omitempty"` // states
	Failed    []string `json:"failed,omitempty"`    // states
	// Whole says that the service answers of every message that it took, from the moment on at which it took it, and
	// takes no reference twice: what it hasn't may be sent again.
	Whole bool `json:"whole,omitempty"`
}

// Report says where a delivery report has what.
type Report struct {
	When      When     `json:"when"`
	Reference string   `json:"reference,omitempty"` // place of our reference; ?name puts it into the callback's address
	ID        string   `json:"id,omitempty"`
	State     string   `json:"state"`
	Why       string   `json:"why,omitempty"`
	Delivered []string `json:"delivered"` // states
	Failed    []string `json:"failed"`    // states
}

// Inbound says where a message of a person has what. What is a Report isn't looked at.
type Inbound struct {
	When   When   `json:"when"`
	From   string `json:"from"`
	Text   string `json:"text"`
	ID     string `json:"id,omitempty"`     // by which one that is posted twice is known
	Media  string `json:"media,omitempty"`  // a number of pictures and the like, or their list
	OptOut string `json:"optOut,omitempty"` // the service's own reading of STOP, START and HELP
	// Digits says that a number without a plus is international, not one to be dialled in the country.
	Digits bool `json:"digits,omitempty"`
}

// When says which posts are meant: those with something at Path, or if Is isn't empty, with one of these there.
type When struct {
	Path string   `json:"path"`
	Is   []string `json:"is,omitempty"`
}

// Proof is a way in which a service shows that it is the one that posts.
type Proof string

// The proofs. By NoProof nothing is verified, so that nothing is read.
const (
	NoProof     Proof = ""
	TwilioProof Proof = "twilio" // X-Twilio-Signature
	HMACProof   Proof = "hmac"   // a header with an HMAC
	BasicProof  Proof = "basic"  // Basic authentication with Verify.User and SigningKey
	HeaderProof Proof = "header" // a header that holds SigningKey
	RouteProof  Proof = "route"  // the last part of the address: see NewRoute
)

// Verify says how what is posted is verified.
type Verify struct {
	Kind      Proof    `json:"kind,omitempty"`
	User      string   `json:"user,omitempty"`      // of BasicProof
	Header    string   `json:"header,omitempty"`    // of HMACProof and HeaderProof
	Timestamp string   `json:"timestamp,omitempty"` // header with the Unix time in seconds, which is refused when older than MaxAge
	Nonce     string   `json:"nonce,omitempty"`     // header
	Signed    []string `json:"signed,omitempty"`    // what is signed, one of these: {body}, {md5} of it in hex, {timestamp}, {nonce}, {method}, {url}, {path}
	Encoding  string   `json:"encoding,omitempty"`  // hex or base64 of an HMAC-SHA256
	Prefix    string   `json:"prefix,omitempty"`    // before the signature, such as sha256=
}
