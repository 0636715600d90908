import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { renderFleet, renderFleetTexts } from '../../src/render/fleet';
import { plan } from '../kubernetes/promises/plan';
import { inputs } from '../kubernetes/strict/inputs';

/** Every example, a fleet that uses every field, and a few generated ones, each planned once. */
const FLEETS = inputs(1, 3).map(({ name, resources }) => ({ name, planned: plan(resources) }));

/** Objects by cluster, kind, namespace and name. */
function byId(cluster: string, manifests: readonly Manifest[]): [string, Manifest][] {
  return manifests.map((one) => {
    const { namespace = '', name } = one.metadata;
    return [`${cluster} ${one.kind} ${namespace}/${name}`, one];
  });
}

/** What a reader of the files gets. */
function read(files: ReadonlyMap<string, string>): [string, Manifest][] {
  return [...files].flatMap(([path, text]) => {
    const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    return byId(path.split('/')[0]!, objects);
  });
}

describe('files say what the renderer meant, object by object and field by field:', () => {
  test.each(FLEETS.map(({ name, planned }) => [name, planned] as const))('%s', (_, planned) => {
    const { fleet, replicas, routing, clusters } = planned;
    const meant = clusters.flatMap(({ cluster, manifests }) => byId(cluster.metadata.name, manifests));
    const found = read(renderFleet(fleet, replicas, { routing }));
    expect(found).toHaveLength(meant.length);
    expect(new Map(found)).toEqual(new Map(meant));
  });
});

test.each(FLEETS.map(({ name, planned }) => [name, planned] as const))(
  'all that the files of a cluster are rendered from has a digest: %s',
  (_, { fleet, replicas, routing }) => {
    const inputs: (string | undefined)[] = [];
    const memo = (_cluster: string, input: string | undefined) => new Map([[`${inputs.push(input)}`, '']]);
    renderFleetTexts(fleet, replicas, { routing, memo });
    expect(inputs).toHaveLength(fleet.clusters.length);
    expect(inputs).not.toContain(undefined);
  },
);

/** The kinds of objects that a source file makes. */
function kindsMade(text: string): string[] {
  const written =
    /(?:apiVersion: (?:'[^']+'|[\w.]+),\s+kind: |renderObject\(\w+, '[^']+', |(?:routing|monitoring|queue)Object\(\s*)'(\w+)'/gi;
  return [...text.matchAll(written)].map(([, kind]) => kind!);
}

test('every kind that a renderer makes is among them', () => {
  const files = readdirSync('src/render', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  const made = sources.flatMap((file) => kindsMade(readFileSync(join('src/render', file), 'utf8')));
  const tried = FLEETS.flatMap(({ planned }) =>
    planned.clusters.flatMap(({ manifests }) => manifests.map(({ kind }) => kind)),
  );
  expect(made).toContain('PodDisruptionBudget');
  expect([...new Set(tried)].sort()).toEqual([...new Set(made)].sort());
});
