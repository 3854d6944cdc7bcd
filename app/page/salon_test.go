package page_test

// The salon of the tests: Ana works from Monday to Friday, and has one haircut an hour.
const salon = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, currency: EUR}
hosts:
  - {name: Ana, email: ana@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}}
  - {name: Ben, email: ben@salon.example, timeZone: Europe/Berlin, weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"]}}
eventTypes:
  - {slug: cut, title: Haircut, description: "Wash, cut and dry.\n\nCome early.", durationMinutes: 60, price: {amount: 4500, currency: EUR}, hosts: [ana@salon.example], cancellationNoticeMinutes: 1440, location: "Oranienstraße 25, Berlin"}
  - {slug: either, title: Either of us, durationMinutes: 60, hosts: [ana@salon.example, ben@salon.example]}
  - {slug: bridal, title: Bridal styling, durationMinutes: 60, hosts: [ana@salon.example], requiresApproval: true}
  - {slug: course, title: Braiding course, durationMinutes: 60, seats: 3, hosts: [ana@salon.example]}
  - {slug: rare, title: Twice a day, durationMinutes: 60, maxPerDay: 1, hosts: [ana@salon.example]}
  - {slug: closed, title: Closed, durationMinutes: 60, active: false, hosts: [ana@salon.example]}
  - slug: asks
    title: Many questions
    durationMinutes: 60
    hosts: [ana@salon.example]
    questions:
      - {key: length, label: Hair length, type: choice, options: [Short, Long], required: true}
      - {key: phone, label: Your phone, type: phone, required: true}
      - {key: agree, label: I have read the terms, type: checkbox, required: true}
      - {key: long, label: "Which of the treatments that we offer in the spring have you had before, and how was it?", type: text, required: true}
      - {key: wish, label: Any wish, type: text}
      - {key: story, label: Tell us more, type: long_text}
`
