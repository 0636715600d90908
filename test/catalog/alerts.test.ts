import { existsSync, readFileSync } from 'node:fs';
import { ALERTS, type AlertName, RUNBOOKS, runbookPageOf } from '../../src/catalog/alerts';
import { MEASURES } from '../../src/catalog/engines/engine-metrics';
import { ENGINE_PROFILES } from '../../src/catalog/engines/profiles';
import { RECORDED_SERIES } from '../../src/catalog/recording-rules';

describe('an alert', () => {
  test.each(Object.keys(ALERTS) as AlertName[])('%s has a page that names it, and a line in the overview', (alert) => {
    const page = runbookPageOf(alert);
    expect(readFileSync(`docs/runbooks/${page}`, 'utf8')).toContain(`Alert \`${alert}\`.`);
    expect(readFileSync('docs/monitoring.md', 'utf8')).toContain(`[${alert}](runbooks/${page})`);
  });

  test('links to the folder of the pages', () => {
    expect(existsSync(RUNBOOKS.replace(/.*blob\/main\//, ''))).toBe(true);
  });
});

describe('metrics of engines', () => {
  const named = Object.values(ENGINE_PROFILES).flatMap(({ title, metrics }) =>
    metrics?.names ? [{ title, metrics }] : [],
  );

  test.each(named)('$title says where its names are from', ({ metrics }) => {
    expect(metrics.source).toMatch(/\//);
    expect(metrics.version).toMatch(/\d/);
  });

  test.each(named)('$title has bounds of buckets in ascending order', ({ metrics }) => {
    for (const { buckets = [] } of Object.values(metrics.names ?? {})) {
      expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    }
  });

  test('every measure is recorded under its own name', () => {
    expect(Object.keys(RECORDED_SERIES).sort()).toEqual([...MEASURES].sort());
    expect(new Set(Object.values(RECORDED_SERIES)).size).toBe(MEASURES.length);
  });
});
