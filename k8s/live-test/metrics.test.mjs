// Checks that the alerts and the dashboard only use metrics that the services export.
import assert from 'node:assert/strict';
import { test as root } from 'node:test';
import { HOST, startIssuer, startServices } from './backends.mjs';
import { ofKind, render, settingsByService } from './chart.mjs';

/** Prometheus itself adds these metrics on each scrape. */
const OF_PROMETHEUS = ['up'];

/** Finds the metric names before selectors; the dashboard's `{__name__=~...}` has no name. */
const metricsIn = (expression) => [...expression.matchAll(/\b([a-z][a-z0-9_]*)\{/g)].map(([, name]) => name);

root('metrics', async (test) => {
  const manifests = render('full');
  const issuer = await startIssuer(test);
  // The addresses in full-values.yaml do not exist, but a replica that is not ready still exports metrics.
  const DATABASE_REPLICA_URL = `postgres://nobody@${HOST}:1/none`;
  const own = ({ OAUTH_AUDIENCE, LOG_LEVEL }) => ({ OAUTH_AUDIENCE, LOG_LEVEL, DATABASE_REPLICA_URL });
  const settings = new Map([...settingsByService(manifests)].map(([name, rendered]) => [name, own(rendered)]));
  const ports = await startServices(test, issuer, settings);
  const exported = new Set();
  for (const port of ports.values()) {
    const text = await (await fetch(`http://${HOST}:${port}/metrics`)).text();
    for (const [, name] of text.matchAll(/^# TYPE (\S+) /gm))
      for (const suffix of ['', '_count', '_sum', '_bucket']) exported.add(name + suffix);
  }

  await test.test('every alert uses existing metrics', () => {
    const rules = ofKind(manifests, 'PrometheusRule')[0].spec.groups.flatMap((group) => group.rules);
    for (const { alert, expr } of rules) {
      const names = metricsIn(expr);
      assert.ok(names.length > 0, alert);
      for (const name of names) assert.ok(OF_PROMETHEUS.includes(name) || exported.has(name), `${alert}: ${name}`);
    }
  });

  await test.test('every panel of the dashboard uses existing metrics', () => {
    const [text] = ofKind(manifests, 'ConfigMap').flatMap(({ data }) => data['open-access-fibre.json'] ?? []);
    const dashboard = JSON.parse(text);
    const expressions = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr]));
    assert.ok(expressions.length > 10);
    for (const [title, expr] of expressions) for (const name of metricsIn(expr)) assert.ok(exported.has(name), `${title}: ${name}`);
  });
});
