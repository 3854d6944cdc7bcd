package payment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
)

// wordings are what the payment page says in one language.
type wordings struct {
	saved   string // that the card is saved
	noShow  string // the consent to a no-show fee: amount, business
	late    string // the consent to a fee for cancelling late: amount, business, the notice
	dates   string // that both are for each date of a series: how many there are
	minutes string // a notice in words
	hours   string
	days    string
	titles  map[Kind]string // what stands before the title of the service
}

var languages = map[string]wordings{
	"en": {
		saved:   "Your card is saved.",
		noShow:  "If you do not come and have not cancelled in time, you agree that %[2]s charges it %[1]s.",
		late:    "If you cancel later than %[3]s before the start, you agree that %[2]s charges it %[1]s.",
		dates:   "This holds for each of your %d appointments.",
		minutes: "%d minutes", hours: "%d hours", days: "%d days",
		titles: map[Kind]string{PaysDeposit: "Deposit", PaysFee: "No-show", PaysLateFee: "Late cancellation"},
	},
	"de": {
		saved:   "Ihre Karte wird gespeichert.",
		noShow:  "Wenn Sie nicht kommen und nicht rechtzeitig abgesagt haben, darf %[2]s sie mit %[1]s belasten.",
		late:    "Wenn Sie später als %[3]s vor dem Beginn absagen, darf %[2]s sie mit %[1]s belasten.",
		dates:   "Das gilt für jeden Ihrer %d Termine.",
		minutes: "%d Minuten", hours: "%d Stunden", days: "%d Tage",
		titles: map[Kind]string{PaysDeposit: "Anzahlung", PaysFee: "Nicht erschienen", PaysLateFee: "Späte Absage"},
	},
	"fr": {
		saved:   "Votre carte est enregistrée.",
		noShow:  "Si vous ne venez pas sans avoir annulé à temps, vous acceptez que %[2]s la débite de %[1]s.",
		late:    "Si vous annulez moins de %[3]s avant le début, vous acceptez que %[2]s la débite de %[1]s.",
		dates:   "Cela vaut pour chacun de vos %d rendez-vous.",
		minutes: "%d minutes", hours: "%d heures", days: "%d jours",
		titles: map[Kind]string{PaysDeposit: "Acompte", PaysFee: "Absence", PaysLateFee: "Annulation tardive"},
	},
	"es": {
		saved:   "Su tarjeta queda guardada.",
		noShow:  "Si no se presenta y no ha cancelado a tiempo, acepta que %[2]s le cobre %[1]s.",
		late:    "Si cancela con menos de %[3]s de antelación, acepta que %[2]s le cobre %[1]s.",
		dates:   "Esto vale para cada una de sus %d citas.",
		minutes: "%d minutos", hours: "%d horas", days: "%d días",
		titles: map[Kind]string{PaysDeposit: "Anticipo", PaysFee: "No se presentó", PaysLateFee: "Cancelación tardía"},
	},
}

// wordingsOf returns those of a locale, English where there are none.
func wordingsOf(locale string) wordings {
	language, _, _ := strings.Cut(strings.ToLower(locale), "-")
	if w, ok := languages[language]; ok {
		return w
	}
	return languages["en"]
}

// mostDisclosed is how many characters the consent has at most: what Stripe takes of a custom text, 1,200, less the sentence
// on the dates of a series.
const mostDisclosed = 1100

// consentTo returns what the invitee agrees to by saving a card for the fees of these bookings: of one, or of those of a
// visit that have any, where each amount is followed by its service, and the notices are in the order of their amounts. Of
// a series it says that once, and for how many dates.
func consentTo(setup *catalog.Setup, of ...*booking.Booking) string {
	of, dates := oneDate(of)
	text := consentText(setup, of, len(of) > 1 || of[0].InVisit())
	if len([]rune(text)) > mostDisclosed {
		text = consentText(setup, of, false)
	}
	if dates > 1 {
		text += " " + fmt.Sprintf(wordingsOf(of[0].Invitee.Locale).dates, dates)
	}
	return text
}

// oneDate returns the bookings of one date of a series, the one with the most, and of how many dates there are any; all of
// them where they are of none.
func oneDate(of []*booking.Booking) (most []*booking.Booking, dates int) {
	if of[0].Series == nil {
		return of, 1
	}
	all := map[int][]*booking.Booking{}
	for _, b := range of {
		date := append(all[b.Series.Position], b)
		if all[b.Series.Position] = date; len(date) > len(most) {
			most = date
		}
	}
	return most, len(all)
}

func consentText(setup *catalog.Setup, of []*booking.Booking, titled bool) string {
	w := wordingsOf(of[0].Invitee.Locale)
	amount := func(fee *money.Money, b *booking.Booking) string {
		if !titled {
			return fee.Text()
		}
		return fmt.Sprintf("%s (%s)", fee.Text(), titleOf(setup, b))
	}
	var missed, late, notices []string
	for _, b := range of {
		if b.NoShowFee != nil {
			missed = append(missed, amount(b.NoShowFee, b))
		}
		if b.LateFee != nil {
			late, notices = append(late, amount(b.LateFee, b)), append(notices, w.notice(b.LateNotice))
		}
	}
	text, business := w.saved, setup.Workspace.Name
	if len(missed) > 0 {
		text += " " + fmt.Sprintf(w.noShow, strings.Join(missed, ", "), business)
	}
	if len(late) > 0 {
		if all := slices.Compact(slices.Clone(notices)); len(all) == 1 {
			notices = all
		}
		text += " " + fmt.Sprintf(w.late, strings.Join(late, ", "), business, strings.Join(notices, ", "))
	}
	return text
}

// notice returns a number of minutes in words. One hour and one day are said in the next smaller unit, which has a
// plural.
func (w *wordings) notice(minutes int) string {
	const hour, day = int(time.Hour / time.Minute), 24 * int(time.Hour/time.Minute)
	switch {
	case minutes > day && minutes%day == 0:
		return fmt.Sprintf(w.days, minutes/day)
	case minutes > hour && minutes%hour == 0:
		return fmt.Sprintf(w.hours, minutes/hour)
	}
	return fmt.Sprintf(w.minutes, minutes)
}

// titled returns a title on the payment page, with what is paid before it where that isn't the price.
func titled(k Kind, locale, title string) string {
	if what, ok := wordingsOf(locale).titles[k]; ok {
		return what + ": " + title
	}
	return title
}

// chargeTitles are what a charge of the saved card is called at the provider, for the business.
var chargeTitles = map[Kind]string{PaysFee: "No-show fee", PaysLateFee: "Late cancellation fee"}

// chargeKeys name the attempts at a fee, behind the booking's id.
var chargeKeys = map[Kind]string{PaysFee: "no-show", PaysLateFee: "late-cancellation"}

// agreed returns the fee that the invitee agreed to have charged.
func (c *Card) agreed(k Kind, b *booking.Booking) money.Money {
	if k == PaysLateFee {
		return *b.LateFee
	}
	return c.Fee
}
