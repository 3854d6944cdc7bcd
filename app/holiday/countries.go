package holiday

import (
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/ar"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/au"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/bg"
	"github.com/rickar/cal/v2/br"
	"github.com/rickar/cal/v2/ca"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cy"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/ee"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fi"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/gr"
	"github.com/rickar/cal/v2/hr"
	"github.com/rickar/cal/v2/hu"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/is"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/jp"
	"github.com/rickar/cal/v2/ke"
	"github.com/rickar/cal/v2/lt"
	"github.com/rickar/cal/v2/lu"
	"github.com/rickar/cal/v2/lv"
	"github.com/rickar/cal/v2/mt"
	"github.com/rickar/cal/v2/mw"
	"github.com/rickar/cal/v2/mx"
	"github.com/rickar/cal/v2/nc"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/nz"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/pt"
	"github.com/rickar/cal/v2/ro"
	"github.com/rickar/cal/v2/rs"
	"github.com/rickar/cal/v2/ru"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/si"
	"github.com/rickar/cal/v2/sk"
	"github.com/rickar/cal/v2/th"
	"github.com/rickar/cal/v2/ua"
	"github.com/rickar/cal/v2/us"
	"github.com/rickar/cal/v2/za"
)

// countries has the lists of the module, by the code of the country. Its lists for Genève and Vaud lack the Jeûne, so
// they are left out.
var countries = []Country{
	{Code: "AR", days: ar.Holidays},
	{Code: "AT", days: at.Holidays},
	{Code: "AU", NeedsRegion: true, Regions: []Region{
		{"ACT", "Australian Capital Territory", au.HolidaysACT},
		{"NSW", "New South Wales", au.HolidaysNSW},
		{"NT", "Northern Territory", au.HolidaysNT},
		{"QLD", "Queensland", au.HolidaysQLD},
		{"SA", "South Australia", au.HolidaysSA},
		{"TAS", "Tasmania", au.HolidaysTAS},
		{"VIC", "Victoria", au.HolidaysVIC},
		{"WA", "Western Australia", au.HolidaysWA},
	}},
	{Code: "BE", days: be.Holidays},
	{Code: "BG", days: bg.Holidays},
	{Code: "BR", days: br.Holidays},
	{Code: "CA", days: ca.Holidays},
	{Code: "CH", days: ch.Holidays, Regions: []Region{
		{"AG", "Aargau", ch.HolidaysAG},
		{"AR", "Appenzell Ausserrhoden", ch.HolidaysAR},
		{"AI", "Appenzell Innerrhoden", ch.HolidaysAI},
		{"BL", "Basel-Landschaft", ch.HolidaysBL},
		{"BS", "Basel-Stadt", ch.HolidaysBS},
		{"BE", "Bern", ch.HolidaysBE},
		{"FR", "Fribourg", ch.HolidaysFR},
		{"GL", "Glarus", ch.HolidaysGL},
		{"GR", "Graubünden", ch.HolidaysGR},
		{"JU", "Jura", ch.HolidaysJU},
		{"LU", "Luzern", ch.HolidaysLU},
		{"NE", "Neuchâtel", ch.HolidaysNE},
		{"NW", "Nidwalden", ch.HolidaysNW},
		{"OW", "Obwalden", ch.HolidaysOW},
		{"SH", "Schaffhausen", ch.HolidaysSH},
		{"SZ", "Schwyz", ch.HolidaysSZ},
		{"SO", "Solothurn", ch.HolidaysSO},
		{"SG", "St. Gallen", ch.HolidaysSG},
		{"TG", "Thurgau", ch.HolidaysTG},
		{"TI", "Ticino", ch.HolidaysTI},
		{"UR", "Uri", ch.HolidaysUR},
		{"VS", "Valais", ch.HolidaysVS},
		{"ZG", "Zug", ch.HolidaysZG},
		{"ZH", "Zürich", ch.HolidaysZH},
	}},
	{Code: "CY", days: cy.Holidays},
	{Code: "CZ", days: cz.Holidays},
	{Code: "DE", days: de.Holidays, Regions: []Region{
		{"BW", "Baden-Württemberg", de.HolidaysBW},
		{"BY", "Bayern", de.HolidaysBY},
		{"BE", "Berlin", de.HolidaysBE},
		{"BB", "Brandenburg", de.HolidaysBB},
		{"HB", "Bremen", de.HolidaysHB},
		{"HH", "Hamburg", de.HolidaysHH},
		{"HE", "Hessen", de.HolidaysHE},
		{"MV", "Mecklenburg-Vorpommern", de.HolidaysMV},
		{"NI", "Niedersachsen", de.HolidaysNI},
		{"NW", "Nordrhein-Westfalen", de.HolidaysNW},
		{"RP", "Rheinland-Pfalz", de.HolidaysRP},
		{"SL", "Saarland", de.HolidaysSL},
		{"SN", "Sachsen", de.HolidaysSN},
		{"ST", "Sachsen-Anhalt", de.HolidaysST},
		{"SH", "Schleswig-Holstein", de.HolidaysSH},
		{"TH", "Thüringen", de.HolidaysTH},
	}},
	{Code: "DK", days: dk.Holidays},
	{Code: "EE", days: ee.Holidays},
	{Code: "ES", days: es.Holidays},
	{Code: "FI", days: fi.Holidays},
	{Code: "FR", days: fr.Holidays},
	{Code: "GB", days: gb.Holidays, Regions: []Region{
		{"ENG", "England", gb.Holidays},
		{"NIR", "Northern Ireland", northernIreland},
		{"SCT", "Scotland", scotland},
		{"WLS", "Wales", gb.Holidays},
	}},
	{Code: "GR", days: gr.Holidays},
	{Code: "HR", days: hr.Holidays},
	{Code: "HU", days: hu.Holidays},
	{Code: "IE", days: ie.Holidays},
	{Code: "IS", days: is.Holidays},
	{Code: "IT", days: it.Holidays},
	{Code: "JP", days: jp.Holidays},
	{Code: "KE", days: ke.Holidays},
	{Code: "LT", days: lt.Holidays},
	{Code: "LU", days: lu.Holidays},
	{Code: "LV", days: lv.Holidays},
	{Code: "MT", days: mt.Holidays},
	{Code: "MW", days: mw.Holidays},
	{Code: "MX", days: mx.Holidays},
	{Code: "NC", days: nc.Holidays},
	{Code: "NL", days: netherlands},
	{Code: "NO", days: no.Holidays},
	{Code: "NZ", days: nz.Holidays},
	{Code: "PL", days: pl.Holidays},
	{Code: "PT", days: pt.Holidays},
	{Code: "RO", days: ro.Holidays},
	{Code: "RS", days: rs.Holidays},
	{Code: "RU", days: ru.Holidays},
	{Code: "SE", days: se.Holidays},
	{Code: "SI", days: si.Holidays},
	{Code: "SK", days: sk.Holidays},
	{Code: "TH", days: th.Holidays},
	{Code: "UA", days: ua.Holidays},
	{Code: "US", days: us.Holidays},
	{Code: "ZA", days: za.Holidays},
}

// Where the module's lists are wrong, or end. It has the bank holidays of England and Wales only, and the summer's of
// Scotland.
var (
	toMonday = []cal.AltDay{{Day: time.Saturday, Offset: 2}, {Day: time.Sunday, Offset: 1}}

	scotland = []*cal.Holiday{gb.NewYear, secondOfJanuary, gb.GoodFriday, gb.EarlyMay, gb.VEDay, gb.CoronationDay,
		gb.SpringHoliday, gb.SpringHoliday2022, gb.PlatinumJubilee, gb.SummerHolidayScotland, saintAndrew, gb.ChristmasDay,
		gb.BoxingDay}
	northernIreland = append([]*cal.Holiday{saintPatrick, battleOfTheBoyne}, gb.Holidays...)

	// Without Goede Vrijdag and Bevrijdingsdag, which the law gives nobody off every year.
	netherlands = []*cal.Holiday{nl.Nieuwjaar, nl.TweedePaasdag, nl.Koningsdag, nl.Hemelvaart, nl.TweedePinksterDag,
		nl.EersteKerstdag, nl.TweedeKerstdag}

	// The day before it may have been put on the Monday.
	secondOfJanuary = &cal.Holiday{Name: "2nd January", Type: cal.ObservanceBank, Month: time.January, Day: 2,
		Func: cal.CalcDayOfMonth, Observed: []cal.AltDay{{Day: time.Saturday, Offset: 2}, {Day: time.Sunday, Offset: 2},
			{Day: time.Monday, Offset: 1}}}
	saintAndrew = &cal.Holiday{Name: "St Andrew's Day", Type: cal.ObservanceBank, Month: time.November, Day: 30,
		Func: cal.CalcDayOfMonth, Observed: toMonday}
	saintPatrick = &cal.Holiday{Name: "St Patrick's Day", Type: cal.ObservanceBank, Month: time.March, Day: 17,
		Func: cal.CalcDayOfMonth, Observed: toMonday}
	battleOfTheBoyne = &cal.Holiday{Name: "Battle of the Boyne", Type: cal.ObservanceBank, Month: time.July, Day: 12,
		Func: cal.CalcDayOfMonth, Observed: toMonday}
)
