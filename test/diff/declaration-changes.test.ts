import { diffDeclarations } from '../../src/diff/declaration-changes';
import { loadManifests } from '../../src/manifest/load-manifests';
import { formatFieldChange, shortenField } from '../../src/report/diff/field-changes-text';

const manifest = (kind: string, spec: string): string =>
  `apiVersion: fleetwright.dev/v1alpha1\nkind: ${kind}\nmetadata: { name: x, namespace: ml }\nspec: ${spec}\n`;

const read = (text: string) => {
  const { resources, problems, locate } = loadManifests([{ path: 'f.yaml', text }]);
  expect(problems).toEqual([]);
  return { resources, locate };
};

const cluster = (pool: string): string =>
  manifest(
    'InferenceCluster',
    `{ cluster: { source: GKE, gke: { region: us-central1 } }, nodePools: [{ name: l4, className: c, zones: [us-central1-a], ${pool} }] }`,
  ).replace(', namespace: ml', '');
const service = (entries: string): string => manifest('ModelService', `{ endpoints: [${entries}] }`);
const deployment = (fields: string): string =>
  manifest(
    'ModelDeployment',
    `{ ${fields}, template: { spec: { engines: [{ name: vllm, members: [{ nodeSelector: { devices: [{ name: gpu, where: { memory: ">= 22Gi" } }] }, template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [a/b] }] } } }] }] } } }`,
  );
const CHAT = '{ selector: { matchLabels: { app: chat } } }';

/** Entries of which the second begins with a key. */
const BLOCK = (...keys: string[]): string =>
  `\n  endpoints:\n    - selector: { matchLabels: { app: chat } }\n${keys.map((key, i) => `    ${i === 0 ? '-' : ' '} ${key}\n`).join('')}`;

const cases: Record<string, [before: string, after: string, want: unknown[][]]> = {
  'a field that follows from others is left out': [
    cluster('minNodeCount: 1, maxNodeCount: 3'),
    cluster('minNodeCount: 2, maxNodeCount: 3'),
    [['spec.nodePools[l4].minNodeCount', 1, 2]],
  ],
  'a short form is what it means, next to other edits too': [
    deployment('replicas: 1'),
    deployment('replicas: 2, rollout: Recreate'),
    [
      ['spec.replicas', 1, 2],
      ['spec.rollout.strategy', 'Rolling', 'Recreate'],
    ],
  ],
  'a key that is gone stays next to other edits, though its default applies': [
    deployment('replicas: 1, priority: 100, rollout: { surge: 1 }'),
    deployment('replicas: 2'),
    [
      ['spec.replicas', 1, 2],
      ['spec.priority', 100, 0],
      ['spec.rollout.surge', 1, 0],
    ],
  ],
  'a key that is gone is no reason to leave out a short form in its place': [
    deployment('replicas: 1, rollout: { surge: 1 }'),
    deployment('replicas: 2, rollout: Recreate'),
    [
      ['spec.replicas', 1, 2],
      ['spec.rollout.strategy', 'Rolling', 'Recreate'],
      ['spec.rollout.surge', 1, 0],
    ],
  ],
  'a new value has no defaults': [
    service(CHAT),
    service(`${CHAT}, { weight: 9, selector: { matchLabels: { app: next } } }`),
    [['spec.endpoints[1]', undefined, { weight: 9, selector: { matchLabels: { app: 'next' } } }]],
  ],
  'the first key of an item is where the item is, and stays': [
    manifest('ModelService', BLOCK('selector: { matchLabels: { app: next } }', 'match: { headers: { x: a } }')),
    manifest('ModelService', BLOCK()),
    [['spec.endpoints[1]', { selector: { matchLabels: { app: 'next' } }, match: { headers: { x: 'a' } } }, undefined]],
  ],
};

test.each(Object.entries(cases))('of what is edited, %s', (_, [before, after, want]) => {
  const changes = diffDeclarations(read(before), read(after));
  expect(changes.flatMap(({ fields }) => fields.map((one) => [one.field, one.before, one.after]))).toEqual(want);
});

/** The edits of a declaration that has errors after them. */
function editsWithErrors(before: string, after: string) {
  const { resources, unread, locate } = loadManifests([{ path: 'f.yaml', text: after }]);
  const declared = unread.map(({ id = '', valid }) => [id, { where: 'f.yaml:4:9', ...(valid && { valid }) }] as const);
  return diffDeclarations(read(before), { resources, locate, unread: new Map(declared) });
}

const BEFORE = deployment('replicas: 4, priority: 9');

test.each<[string, string, string, unknown[]]>([
  ['is wrong', BEFORE, deployment('replicas: 5, priority: 9, minAvailble: 2'), [['spec.replicas', 4, 5]]],
  ['has a wrong value', BEFORE, deployment('replicas: 5, priority: high'), [['spec.replicas', 4, 5]]],
  [
    'has a wrong item',
    cluster('nodeCount: 1'),
    cluster('nodeCount: 2, taints: [5, { key: a, effect: NoSchedule }]'),
    [['spec.nodePools[l4].nodeCount', 1, 2]],
  ],
  ['is missing', BEFORE, deployment('priority: 7'), []],
  ['occurs twice', BEFORE, deployment('replicas: 5, priority: 9, priority: 8'), []],
])('of a declaration of which a field %s, the edits that can be read are known', (_, before, after, want) => {
  const edits = editsWithErrors(before, after);
  expect(edits.map(({ fields }) => fields.map((one) => [one.field, one.before, one.after]))).toEqual([want]);
});

test('of a declaration with errors, secrets are hidden', () => {
  const annotated = (value: string, spec = `{ endpoints: [${CHAT}] }`): string =>
    manifest('ModelService', spec).replace('name: x', `name: x, annotations: { key: ${value} }`);
  const [edit] = editsWithErrors(
    annotated('old'),
    annotated(`hf_${'a1B2'.repeat(9)}`, `{ endpoints: [${CHAT}], endpointz: [] }`),
  );
  expect(edit?.fields.map(({ after }) => after)).toEqual(['(hidden)']);
});

const pools = (...lines: string[]): string =>
  manifest(
    'InferenceCluster',
    `{ cluster: { source: GKE, gke: { region: r } }, nodePools: [${lines.map((line) => `\n  ${line}`).join()}] }`,
  ).replace(', namespace: ml', '');

test('a key that is gone is where it was, also in an item that has another place in its list now', () => {
  const zones = 'className: c, zones: [a]';
  const before = read(pools(`{ name: l4, ${zones} }`, `{ name: h100, ${zones}, packing: BinPack, nodeCount: 1 }`));
  const after = read(pools(`{ name: h100, ${zones}, nodeCount: 2 }`, `{ name: l4, ${zones} }`));
  const [change] = diffDeclarations(before, after);
  expect(change?.fields.map(({ field, where }) => [field, where])).toEqual([
    ['spec.nodePools[h100].nodeCount', 'f.yaml:5:54'],
    ['spec.nodePools[h100].packing', 'f.yaml:6:52'],
    ['the order of spec.nodePools', 'f.yaml:4:55'],
  ]);
});

test('a key that is gone is called removed, with its default', () => {
  const states = ['replicas: 1, priority: 100', 'replicas: 2'].map((fields) => read(deployment(fields)));
  const [change] = diffDeclarations(states[0]!, states[1]!);
  expect(change?.fields.map(formatFieldChange)).toEqual([
    'spec.replicas: 1 -> 2',
    'spec.priority: was 100, removed (default 0)',
  ]);
});

test('edits of a program, which have no positions of their own, are complete', () => {
  const [was, is] = [cluster('minNodeCount: 1, maxNodeCount: 3'), cluster('minNodeCount: 2, maxNodeCount: 3')].map(
    read,
  );
  const states = [was, is].map((one) => ({ resources: one?.resources ?? [], locate: () => 'App/x' }));
  const [one] = states.length === 2 && states[0] && states[1] ? diffDeclarations(states[0], states[1]) : [];
  expect(one?.fields.map(({ field }) => field)).toEqual([
    'spec.nodePools[l4].minNodeCount',
    'spec.nodePools[l4].nodeCount',
  ]);
});

test.each([
  ['spec.replicas', 'spec.replicas'],
  ['spec.nodePools[l4].nodeCount', 'nodePools[l4].nodeCount'],
  ['metadata.labels.gpu', 'labels.gpu'],
  ['spec.template.metadata.labels.app', 'labels.app'],
  ['spec.template.spec.engines[vllm].copies', 'engines[vllm].copies'],
  ['spec.template.spec.engines[vllm].members[0].template.spec.containers[engine].image', 'containers[engine].image'],
  ['spec.template.spec.engines[vllm].members[0].nodeSelector.devices[gpu].count', 'devices[gpu].count'],
])('people call %s %s', (field, want) => {
  expect(shortenField(field)).toBe(want);
});
