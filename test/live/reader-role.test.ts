import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readBlocks } from '../../scripts/docs-page';
import { OBSERVED_LISTS } from '../../src/live/doctor/check';
import type { Collection } from '../../src/live/listing';
import { EVENT_LISTS, FAILURE_LISTS, STATUS_LISTS } from '../../src/live/status/cluster-status';
import { QUEUE_LISTS } from '../../src/live/status/queue-lists';
import { RENDERED_KINDS } from '../../src/render/rendered-kinds';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const { rules } = parse(
  readBlocks(readFileSync('docs/live.md', 'utf8'))
    .map(({ lines }) => lines.join('\n'))
    .find((text) => text.includes('fleetwright-reader')) ?? '',
) as { readonly rules: readonly Rule[] };

const LISTED: readonly Pick<Collection, 'apiVersion' | 'kind'>[] = [
  ...[OBSERVED_LISTS, STATUS_LISTS, ...Object.values(QUEUE_LISTS)].flatMap((lists) => Object.values(lists)),
  ...EVENT_LISTS,
  ...FAILURE_LISTS,
  ...Object.entries(RENDERED_KINDS).flatMap(([apiVersion, kinds]) => kinds.map((kind) => ({ apiVersion, kind }))),
];

const rows = [...new Set(LISTED.map(({ apiVersion, kind }) => `${groupOf(apiVersion)} ${pluralOf(kind)}`))];

test.each(rows.map((row) => row.split(' ')))(
  'the role of docs/live.md may list "%s" %s',
  (group = '', resource = '') => {
    const granted = rules.filter(({ apiGroups, verbs }) => apiGroups.includes(group) && verbs.includes('list'));
    expect(granted.flatMap(({ resources }) => resources)).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^(\\*|${resource})$`))]),
    );
  },
);

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** The resource of a kind, by the rule of Kubernetes for names of kinds. */
function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}
