package dash

import "strconv"

// FigureRow is one line of figures: a day, an event type or a host.
type FigureRow struct {
	Name, Total, Held, Cancelled, NoShow, ShowRate, Value, Revenue string
	Share                                                          float64 // of the largest, 0 to 1
}

// MethodRow is what was received by one method.
type MethodRow struct {
	Name, Sum string
	Share     float64 // of the largest, 0 to 1
}

// Series is one colour of a chart.
type Series struct{ Name, Class string }

// Bar is one step of a chart's time: how much of each series, as a number and as a text.
type Bar struct {
	Label, Short string
	Amounts      []int64
	Texts        []string
}

// Chart is a stacked bar chart that also reads as a table.
type Chart struct {
	ID, Title, Step string // Step names the first column: Day, Week, Month
	Series          []Series
	Bars            []Bar
	Ticks           []string // of the scale, the highest first
	Top             int64    // what the highest tick stands for
}

// AnalyticsPage is the figures of a span.
type AnalyticsPage struct {
	Frame
	Spans      []Tab
	From, To   string
	Problem    string
	SpanText   string
	ExportURL  string
	Stats      []Stat
	Charts     []Chart
	Types      []FigureRow
	People     []PersonRow
	PeopleHint string
	Methods    []MethodRow
	Received   string // by all of them
	Empty      bool
	Note       string
}

// PersonRow is what a person worked and earned, over a span or on a day.
type PersonRow struct {
	Name, URL                      string // URL leads to the statement; "" is none
	Bookings, NoShows              string
	Open, Booked, Outside, Rate    string
	Value, Revenue, Products, Tips string
	Quiet                          bool // there is nothing to tell
}

// StatementPage is what a person worked and earned in a month.
type StatementPage struct {
	Frame
	Business, Person, Month              string
	Problem                              string
	PrevURL, NextURL, BackURL, ExportURL string // "" is none
	HostID, MonthID                      string
	Hosts                                []Option // to choose from; none for staff
	Days                                 []PersonRow
	Sum                                  PersonRow
	Money                                bool
	Notes                                []string
}

const chartWidth, chartHeight = 1000.0, 240.0

type chartPart struct{ class, x, y, w, h string }

type chartBar struct {
	title string
	parts []chartPart
	x, w  string // of the whole step, for the pointer
}

// drawn returns the geometry of the bars, in the units of the drawing.
func (c Chart) drawn() []chartBar {
	step := chartWidth / float64(max(1, len(c.Bars)))
	bars := make([]chartBar, len(c.Bars))
	for i, b := range c.Bars {
		d := chartBar{title: b.Label, x: number(float64(i) * step), w: number(step)}
		y := chartHeight
		for k, amount := range b.Amounts {
			d.title += ", " + c.Series[k].Name + " " + b.Texts[k]
			if amount <= 0 || c.Top <= 0 {
				continue
			}
			h := float64(amount) / float64(c.Top) * chartHeight
			y -= h
			d.parts = append(d.parts,
				chartPart{c.Series[k].Class, number((float64(i) + .14) * step), number(y), number(step * .72), number(h)})
		}
		bars[i] = d
	}
	return bars
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// axis returns the labels below the bars: the first, the last, and what fits between.
func (c Chart) axis() (labels []string) {
	n := len(c.Bars)
	if n == 0 {
		return nil
	}
	most := min(n, 5)
	if most == 1 {
		return []string{c.Bars[0].Short}
	}
	for i := range most {
		labels = append(labels, c.Bars[i*(n-1)/(most-1)].Short)
	}
	return labels
}

func (r FigureRow) width() string { return number(max(r.Share*100, .5)) }

func (r MethodRow) width() string { return number(max(r.Share*100, .5)) }
