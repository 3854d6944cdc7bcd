package catalog

import (
	"fmt"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// The bounds of a RetentionRule.
const (
	MaxMonths   = 120
	MaxTaxYears = 30
)

// RetentionRule says after which time contacts and bookings lose their names. Nil means never.
type RetentionRule struct {
	// Months is counted from the end of a booking; for a contact, from the end of the last booking, or from the
	// contact's last change if there is none.
	Months int `json:"months"`
	// TaxYears is the number of years, from the end of the year of the booking, for which payments keep the ids that
	// find them at the payment provider; 0 means that of the function TaxYears for the country of the business.
	TaxYears int `json:"taxYears"`
}

// RetentionFields describes a rule.
var RetentionFields = field.Resource{
	Text: "When contacts and bookings are anonymised.",
	Fields: []field.Field{
		{Name: "months", Text: fmt.Sprintf("After so many months without a booking, 1 to %d.", MaxMonths), Least: 1,
			Most: MaxMonths, InFile: true, Required: true},
		{Name: "taxYears", Text: fmt.Sprintf("For how many years the tax law wants payments, up to %d; 0 is the usual of "+
			"the business's country.", MaxTaxYears), Most: MaxTaxYears, InFile: true},
	},
}

// Check returns bad_request for a rule out of bounds. at names its place in the input.
func (r *RetentionRule) Check(at string) error {
	if r == nil {
		return nil
	}
	if r.Months < 1 || r.Months > MaxMonths {
		return fault.Invalid(at+".months", "must lie between %d and %d", 1, MaxMonths)
	}
	if r.TaxYears < 0 || r.TaxYears > MaxTaxYears {
		return fault.Invalid(at+".taxYears", "must lie between %d and %d", 0, MaxTaxYears)
	}
	return nil
}

// Before returns the time such that, now, bookings that ended before it are old.
func (r *RetentionRule) Before(now time.Time) when.Instant {
	return when.At(now.UTC().AddDate(0, -r.Months, 0))
}

// TaxedFrom returns the beginning of the first year whose records tax law still requires, in the zone of the business.
// The years are counted from the end of each year.
func (r *RetentionRule) TaxedFrom(now time.Time, zone *time.Location, country string) when.Instant {
	years := r.TaxYears
	if years == 0 {
		years = TaxYears(country)
	}
	return when.At(time.Date(now.In(zone).Year()-years, 1, 1, 0, 0, 0, 0, zone))
}

// usualTaxYears are for how long businesses keep their books, counted from the end of the year.
var usualTaxYears = map[string]int{
	"AT": 7,  // § 132 BAO
	"BE": 10, // art. 60 Code de la TVA
	"CH": 10, // Art. 958f OR
	"DE": 10, // § 147 AO: books; vouchers 8
	"ES": 6,  // art. 30 Código de Comercio
	"FR": 10, // art. L123-22 Code de commerce
	"GB": 6,  // HMRC, Notice 700/21: VAT records
	"IE": 6,  // s. 886 Taxes Consolidation Act 1997
	"IT": 10, // art. 2220 Codice civile
	"NL": 7,  // art. 52 AWR
}

// TaxYears returns for how many years businesses of a country must keep records of payments; 10 for countries that are
// not in the table. The owner can set another number.
func TaxYears(country string) int {
	if years, known := usualTaxYears[country]; known {
		return years
	}
	return 10
}
