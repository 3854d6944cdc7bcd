package booking

import (
	"daybook/app/field"
	"daybook/app/when"
)

// Coming is what is known of whether the invitee comes: when they were asked, and their last answer, which counts until
// the start. It says nothing of the booking's status. Nobody was asked, and nobody answered, where a booking has none.
type Coming struct {
	AskedAt    when.Instant  `json:"askedAt"`    // the last time; that of the answer where nobody had asked
	Answer     *ComingAnswer `json:"answer"`     // nil until there is one
	AnsweredAt when.Instant  `json:"answeredAt"` // 0 until there is one
	By         *ComingBy     `json:"by"`         // nil: they told the business, which noted it
}

// ComingAnswer is an invitee's answer to whether they come.
type ComingAnswer string

const (
	ComingYes ComingAnswer = "yes"
	ComingNo  ComingAnswer = "no"
)

// ComingAnswers lists the answers.
var ComingAnswers = []ComingAnswer{ComingYes, ComingNo}

// ComingBy says by what way an invitee answered by themselves.
type ComingBy string

const (
	ComingByText ComingBy = "text"
	ComingByPage ComingBy = "page"
	ComingSpoken ComingBy = "" // told to the business; null in the API
)

// SaysComing returns the invitee's answer to whether they come, "" for none.
func (b *Booking) SaysComing() ComingAnswer {
	if b.Coming == nil || b.Coming.Answer == nil {
		return ""
	}
	return *b.Coming.Answer
}

// ShowConfirmed fills in ConfirmedAt, which is that of the answer yes.
func (b *Booking) ShowConfirmed() {
	b.ConfirmedAt = 0
	if b.SaysComing() == ComingYes {
		b.ConfirmedAt = b.Coming.AnsweredAt
	}
}

// AskComing notes that the invitee was asked. The last answer stays.
func (b *Booking) AskComing(now when.Instant) {
	var c Coming
	if b.Coming != nil {
		c = *b.Coming
	}
	c.AskedAt = now
	b.Coming = &c
}

// AnswerComing notes the invitee's answer, and reports false, and changes nothing, where it is the one that was noted last.
func (b *Booking) AnswerComing(answer ComingAnswer, by ComingBy, now when.Instant) bool {
	if b.SaysComing() == answer {
		return false
	}
	c := Coming{AskedAt: now, Answer: &answer, AnsweredAt: now}
	if b.Coming != nil {
		c.AskedAt = b.Coming.AskedAt
	}
	if by != ComingSpoken {
		c.By = &by
	}
	b.Coming = &c
	return true
}

// ComingFields describes Coming.
var ComingFields = field.Resource{
	Text: "Whether the invitee says that they come.",
	Fields: []field.Field{
		{Name: "askedAt", Text: "When they were last asked; when they answered, where nobody had asked."},
		{Name: "answer", Text: "Their last answer, which counts until the start; null until there is one. After `no` the booking stands, and " +
			"takes its time, until it is cancelled.", Enum: field.Values(ComingAnswers...)},
		{Name: "answeredAt", Text: "When they gave that answer; null until there is one.", Null: true},
		{Name: "by", Text: "How they gave it: by a `text` or on the `page` that a reminder leads to; null where the business noted it.",
			Enum: field.Values(ComingByText, ComingByPage)},
	},
}
