package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"daybook/app/booking"
)

var (
	firstNames = []string{
		"Mia", "Jonas", "Lea", "Noah", "Emma", "Paul", "Sofia", "Elias", "Hannah", "Leon", "Clara", "Felix", "Amira", "Yusuf",
		"Nora", "Anton",
		"Ines", "Mateo", "Zoé", "Oskar", "Ida", "Karim", "Lotte", "Viktor", "Greta", "Tomás", "Maja", "Henri", "Frieda",
		"Samuel",
	}
	lastNames = []string{
		"Schneider", "Yılmaz", "Becker", "Fischer", "Novak", "Lindqvist", "Rossi", "Krüger", "Dubois", "Hoffmann", "Öztürk",
		"García", "Vogel",
		"Brandt", "Kowalski", "Sanders", "Okonkwo", "Baumann", "Silva", "Haas",
	}
	remarks = []string{
		"Please use the fragrance-free shampoo.", "Might be five minutes late.", "Same as last time, please.",
		"I would like to try something new.",
		"My daughter comes along.", "A little shorter than last time.",
	}
	notes = []string{ // on customers
		"Colour 6/0 with 6 %, 35 minutes.", "Sensitive scalp: fragrance-free shampoo only.", "Takes the quiet chair.",
		"Fringe always a little longer than asked for.", "Coffee black.", "Grows out the undercut, do not shave the neck.",
		"Comes with a dog, water bowl in the kitchen.", "Colour 8/1, gloss every second time.",
	}
	ascii = strings.NewReplacer("é", "e", "á", "a", "í", "i", "ü", "ue", "ö", "oe", "Ö", "Oe", "ı", "i", " ", "")
)

// byPhone is the regular who has no e-mail address and whom the salon books by telephone.
const byPhone = 12

// people makes n invitees, each with a name and an address of their own, save for the one of byPhone.
func people(random *rand.Rand, n int) []booking.Invitee {
	all := make([]booking.Invitee, n)
	for i := range all {
		first, last := firstNames[i%len(firstNames)], lastNames[(i*7+i/len(firstNames))%len(lastNames)]
		all[i] = booking.Invitee{
			Name:     first + " " + last,
			Email:    strings.ToLower(ascii.Replace(first+"."+last)) + fmt.Sprintf("%d@mail.example", i+1),
			TimeZone: "Europe/Berlin", Locale: "de",
		}
		if random.IntN(3) > 0 {
			all[i].Phone = fmt.Sprintf("+49 30 5550%03d", i)
		}
		if i == byPhone {
			all[i].Email, all[i].Phone = "", "+49 30 555012"
		}
		if i%9 == 0 {
			all[i].TimeZone, all[i].Locale = "Europe/London", "en"
		}
	}
	return all
}
