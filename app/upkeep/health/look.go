package health

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/url"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/finding"
)

// look checks everything, in the order in which it is shown.
func (s *Service) look(ctx context.Context) ([]finding.Finding, error) {
	now := s.Core.Now()
	r := s.Reader(ctx)
	sizes, _, err := s.sizes(r)
	if err != nil {
		return nil, err
	}
	all := s.machineNow(ctx, &sizes, now)
	queues, err := s.queues(ctx, 0)
	if err != nil {
		return nil, err
	}
	all = append(all, queues...)
	copies, err := s.copies(ctx)
	if err != nil {
		return nil, err
	}
	all = append(all, copies...)
	keys, err := s.keysFinding(ctx)
	if err != nil {
		return nil, err
	}
	certificates, err := s.certificates(ctx)
	if err != nil {
		return nil, err
	}
	passkeys, err := s.passkeys(ctx)
	if err != nil {
		return nil, err
	}
	all = append(append(append(all, keys), certificates...), passkeys...)
	all = append(all, s.loops(when.At(now))...)
	return append(all, ok("version", "version_ok", finding.Words("Version", s.machine.Version))), nil
}

// machineNow returns the clock, the disk, and the sizes of the database.
func (s *Service) machineNow(ctx context.Context, sizes *history, now time.Time) (all []finding.Finding) {
	m := &s.machine
	all = m.clock(now)
	if last := sizes.last(); all[0].State == finding.OK && last > when.At(now.Add(clockAhead)) {
		all[0] = m.wentBack(s.machine.databaseName(), last)
	}
	var server Server
	var unasked error
	if m.Server != nil {
		if server, unasked = m.Server(ctx); unasked == nil && server.ClockAhead.Abs() > clockApart {
			all[0] = local(wrong(finding.Failed, finding.ByMail, "clock", "clock_apart", finding.Words("Apart",
				server.ClockAhead.Abs().Round(time.Second/10).String())))
		}
	}
	if m.Path != "" || m.Server != nil {
		all = append(all, m.timeServer()...)
	}
	database, log, err := server.Bytes, int64(0), unasked
	if m.Server == nil {
		database, log, err = m.bytes(ctx)
	}
	switch {
	case m.Path != "":
		all = append(all, m.disk(sizes.Hours, when.At(now)))
	case m.Server != nil:
		all = append(all, ok("disk", "disk_elsewhere"))
	}
	if err == nil {
		all = append(all, s.database(database, log, sizes, when.At(now))...)
	}
	return all
}

// databaseName returns what is said to be of the future.
func (m *Machine) databaseName() string {
	if m.Path == "" {
		return "PostgreSQL"
	}
	return m.Path
}

// queues tells how late mails and webhook deliveries are, of a workspace, or with 0 of all.
func (s *Service) queues(ctx context.Context, ws catalog.WorkspaceID) ([]finding.Finding, error) {
	now := when.At(s.Core.Now())
	mail, err := s.mails.OldestUnsent(ctx, ws)
	if err != nil {
		return nil, err
	}
	hook, err := s.Reader(ctx).FirstDueDelivery(ws)
	if err != nil {
		return nil, err
	}
	text, err := s.Reader(ctx).FirstDueText(ws)
	if err != nil {
		return nil, err
	}
	// A mail about mails that don't go out would not go out.
	return []finding.Finding{queue("mail", finding.OnToday, mail, now, mailLate, mailStuck),
		queue("webhooks", finding.ByMail, hook, now, hookLate, hookStuck),
		queue("texts", finding.ByMail, text, now, hookLate, hookStuck)}, nil
}

func queue(check string, reach finding.Audience, since, now when.Instant, late, stuck time.Duration) finding.Finding {
	if since == 0 || since > now.Add(-time.Minute) {
		return ok(check, check+"_ok")
	}
	age := time.Duration(now-since) * time.Millisecond
	facts := []finding.Fact{finding.Span("For", age), finding.At("Since", since)}
	switch {
	case age >= stuck:
		return wrong(finding.Failed, reach, check, check+"_stuck", facts...)
	case age >= late:
		return wrong(finding.Warning, reach, check, check+"_stuck", facts...)
	}
	return ok(check, check+"_waiting", facts...)
}

// copies tells how the replicas are, as their server noted it last, and of the last test restore.
func (s *Service) copies(ctx context.Context) (all []finding.Finding, err error) {
	r, err := s.upkeep.Replicas(ctx)
	if err != nil {
		return nil, err
	}
	if len(r.Targets) == 0 {
		if s.machine.Path == "" {
			return nil, nil
		}
		return []finding.Finding{wrong(finding.Warning, finding.OnPage, "replica", "replica_none")}, nil
	}
	now := when.At(s.Core.Now())
	for _, t := range r.Targets {
		f := ok("replica", "replica_ok")
		switch late := now.Add(-replicaLate); {
		case t.Problem != "" && t.Since <= late:
			f = wrong(finding.Failed, finding.ByMail, "replica", "replica_down")
		case t.Problem != "":
			f = wrong(finding.Warning, finding.OnPage, "replica", "replica_late")
		case r.At < now.Add(-replicaStale):
			f = wrong(finding.Warning, finding.ByMail, "replica", "replica_stale")
		case t.Synced == 0:
			f = ok("replica", "replica_begun")
		}
		f.About = t.Name
		f.Facts = []finding.Fact{finding.Words("Name", t.Name), finding.At("Synced", t.Synced), finding.At("Noted", r.At)}
		if t.Problem != "" {
			f.Facts = append(f.Facts, finding.Words("Problem", t.Problem))
		}
		all = append(all, f)
	}
	tried, verified := finding.At("Tried", r.Tried), finding.At("Verified", r.Verified)
	switch {
	case r.Problem != "":
		return append(all, wrong(finding.Failed, finding.ByMail, "restore", "restore_failed", tried,
			finding.Words("Problem", r.Problem))), nil
	case r.Verified == 0:
		return append(all, ok("restore", "restore_none")), nil
	case r.Verified < now.Add(-restoreOld):
		return append(all, wrong(finding.Warning, finding.ByMail, "restore", "restore_old", verified)), nil
	}
	return append(all, ok("restore", "restore_ok", verified)), nil
}

// certificates tells when those end that this server orders. With none, a proxy has them, or nobody.
func (s *Service) certificates(ctx context.Context) (all []finding.Finding, err error) {
	domains := s.machine.Domains
	if len(domains) == 0 {
		base, err := s.upkeep.ServedAt(ctx)
		if err != nil {
			return nil, err
		}
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "https" {
			return nil, nil
		}
		if _, err := s.upkeep.Certificate(ctx, u.Hostname()); err != nil {
			return []finding.Finding{ok("certificate", "certificate_proxy", finding.Words("Domain", u.Hostname()))}, nil
		}
		domains = []string{u.Hostname()}
	}
	for _, domain := range domains {
		f, err := s.certificate(ctx, domain)
		if err != nil {
			return nil, err
		}
		f.About = domain
		all = append(all, f)
	}
	return all, nil
}

func (s *Service) certificate(ctx context.Context, domain string) (finding.Finding, error) {
	name := finding.Words("Domain", domain)
	data, err := s.upkeep.Certificate(ctx, domain)
	if errors.Is(err, fault.ErrNotFound) {
		return ok("certificate", "certificate_none", name), nil
	}
	if err != nil {
		return finding.Finding{}, err
	}
	end, err := endOf(data)
	if err != nil {
		return wrong(finding.Failed, finding.ByMail, "certificate", "certificate_damaged", name), nil
	}
	now := when.At(s.Core.Now())
	ends := finding.At("End", end)
	switch {
	case end <= now:
		return wrong(finding.Failed, finding.ByMail, "certificate", "certificate_over", name, ends), nil
	case end <= now.Add(certificateLast):
		return wrong(finding.Failed, finding.ByMail, "certificate", "certificate_soon", name, ends), nil
	case end <= now.Add(certificateSoon):
		return wrong(finding.Warning, finding.ByMail, "certificate", "certificate_soon", name, ends), nil
	}
	return ok("certificate", "certificate_ok", name, ends), nil
}

// passkeys tells whether there are some that belong to another host than that of the server that was started last. It
// is silent where there are none.
func (s *Service) passkeys(ctx context.Context) ([]finding.Finding, error) {
	base, err := s.upkeep.ServedAt(ctx)
	if err != nil || base == "" {
		return nil, err
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, nil
	}
	here, elsewhere, err := s.factors.HasPasskeys(ctx, base)
	switch {
	case err != nil:
		return nil, err
	case elsewhere:
		return []finding.Finding{wrong(finding.Warning, finding.OnPage, "passkeys", "passkeys_elsewhere",
			finding.Words("Host", u.Hostname()))}, nil
	case here:
		return []finding.Finding{ok("passkeys", "passkeys_ok")}, nil
	}
	return nil, nil
}

// endOf returns when the first certificate ends that stands in data, behind its private key.
func endOf(data []byte) (when.Instant, error) {
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return 0, err
		}
		return when.At(leaf.NotAfter), nil
	}
	return 0, errors.New("there is no certificate in it")
}

// LoopFailed notes that a loop of this server ended with an error and is started again.
func (s *Service) LoopFailed(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	times := append(s.failed[name], when.At(s.Core.Now()))
	s.failed[name] = times[max(0, len(times)-loopFailures):]
}

// loops tells which of this server's loops fail again and again.
func (s *Service) loops(now when.Instant) (all []finding.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, times := range s.failed {
		if len(times) < loopFailures || times[0] < now.Add(-loopTime) {
			continue
		}
		f := local(wrong(finding.Failed, finding.ByMail, "loops", "loops_failing", finding.Words("Name", name)))
		f.About = name
		all = append(all, f)
	}
	if len(all) == 0 {
		return []finding.Finding{local(ok("loops", "loops_ok"))}
	}
	slices.SortFunc(all, func(a, b finding.Finding) int {
		if a.About < b.About {
			return -1
		}
		return 1
	})
	return all
}
