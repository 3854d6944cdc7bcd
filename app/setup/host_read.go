package setup

import "daybook/app/catalog"

// weekField reads the hours of a week. A day that the file leaves out keeps its hours; null closes it, or all days.
func weekField(p *changes, to func(any) *map[string][]string) field {
	return func(v at) error {
		if v.null() {
			p.set = append(p.set, func(t any) { *to(t) = nil })
			return nil
		}
		days := map[string][]string{}
		fields := map[string]field{}
		for _, day := range catalog.Weekdays {
			fields[day] = func(v at) (err error) {
				days[day], err = readTexts(v)
				return err
			}
		}
		p.set = append(p.set, func(t any) {
			week := map[string][]string{}
			for _, day := range catalog.Weekdays {
				ranges, given := days[day]
				if !given {
					ranges = (*to(t))[day]
				}
				if len(ranges) > 0 {
					week[day] = ranges
				}
			}
			*to(t) = week
		})
		return v.object(fields)
	}
}

func readOverrides(v at) ([]catalog.Override, error) {
	if v.null() {
		return nil, nil
	}
	var all []catalog.Override
	err := v.list(catalog.MaxOverrides, func(v at) error {
		o := catalog.Override{Hours: []string{}}
		err := v.needs(map[string]field{
			"date":  keep(&o.Date),
			"hours": func(v at) (err error) { o.Hours, err = readTexts(v); return err },
		}, "date", "hours")
		all = append(all, o)
		return err
	})
	return all, err
}
