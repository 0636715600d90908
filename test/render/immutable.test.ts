import * as fc from 'fast-check';
import type { ModelDeployment } from '../../src/api/model-deployment';
import type { Json, Manifest } from '../../src/manifest/kubernetes/manifest';
import { aDeployment, aMember, type Doc, request } from '../api/build';
import { GKE, manifestsOf } from './build';

/**
 * What an API server or a controller's webhook refuses to change, by kind: apps/v1 validation, resource.k8s.io
 * strategy, core validation of Services and volumes, batch validation of Jobs.
 */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  Namespace: [],
  ResourceClaimTemplate: ['spec'],
  Service: ['spec.clusterIP', 'spec.type'],
  Deployment: ['spec.selector'],
  LeaderWorkerSet: ['spec.networkConfig', 'spec.leaderWorkerTemplate.subGroupPolicy'],
  PodDisruptionBudget: [],
  NetworkPolicy: [],
  ServiceAccount: [],
  ConfigMap: [],
  CronJob: [],
  PersistentVolumeClaim: [
    'spec.accessModes',
    'spec.storageClassName',
    'spec.volumeMode',
    'spec.volumeName',
    'spec.selector',
  ],
  Job: ['spec.template', 'spec.selector', 'spec.completions', 'spec.completionMode', 'spec.podFailurePolicy'],
};

interface Writable extends Doc {
  spec: { rollout: Doc; template: { metadata: Doc; spec: Doc & { engines: Engine[] } } };
}

interface Engine extends Doc {
  copies: number;
  members: (Doc & { nodeSelector?: { devices: Doc[]; constraints: Doc[] }; worker?: { nodes: number } })[];
}

type Edit = (deployment: Writable) => void;

const eachDevice = (edit: (device: Doc) => void): Edit =>
  eachMember(({ nodeSelector }) => {
    for (const device of nodeSelector?.devices ?? []) edit(device);
  });

const container = (edit: (container: Doc) => void): Edit =>
  eachMember(({ template }) => edit((template as { spec: { containers: Doc[] } }).spec.containers[0]!));

function eachMember(edit: (member: Engine['members'][number]) => void): Edit {
  return ({ spec }) => {
    for (const engine of spec.template.spec.engines) for (const member of engine.members) edit(member);
  };
}

function eachEngine(edit: (engine: Engine) => void): Edit {
  return ({ spec }) => {
    for (const engine of spec.template.spec.engines) edit(engine);
  };
}

const small = fc.integer({ min: 1, max: 4 });
const word = fc.constantFrom('a', 'b', 'c');

/** An edit of each field of a deployment that shows in its manifests, with any value. */
const EDITS: readonly fc.Arbitrary<Edit>[] = [
  small.map((copies) => eachEngine((engine) => void (engine.copies = copies))),
  small.map((nodes) =>
    eachMember((member) => {
      if (member.worker) member.worker = { nodes };
    }),
  ),
  small.map((count) => eachDevice((device) => void (device['count'] = count))),
  word.map((text) => eachDevice((device) => void (device['selectors'] = [{ cel: text }]))),
  word.map((key) => eachDevice((device) => void (device['tolerations'] = [{ key, operator: 'Exists' }]))),
  word.map((text) => eachDevice((device) => void (device['config'] = [{ driver: 'd', parameters: { text } }]))),
  word.map((name) => eachDevice((device) => void (device['name'] = name))),
  word.map((name) =>
    eachMember(({ nodeSelector }) => {
      if (nodeSelector) nodeSelector.constraints = [{ matchAttribute: `d/${name}`, requests: [] }];
    }),
  ),
  word.map((image) => container((one) => void (one['image'] = image))),
  word.map((arg) => container((one) => void (one['args'] = [arg]))),
  word.map((value) => container((one) => void (one['env'] = [{ name: 'A', value }]))),
  small.map((cpu) => container((one) => void (one['resources'] = { requests: {}, limits: { cpu: String(cpu) } }))),
  word.map(
    (team) =>
      ({ spec }) =>
        void (spec.template.metadata['labels'] = { team }),
  ),
  word.map(
    (name) =>
      ({ spec }) =>
        void (spec.template.spec['modelCacheRef'] = { name }),
  ),
  fc
    .record({
      strategy: fc.constantFrom('Rolling', 'Recreate'),
      surge: fc.integer({ min: 0, max: 1 }),
      parallel: small,
    })
    .map(
      (rollout) =>
        ({ spec }) =>
          void (spec.rollout = rollout),
    ),
  fc.constant(({ spec }) => {
    spec.template.spec.engines = spec.template.spec.engines.map((engine) => ({
      ...engine,
      members: engine.members.slice(0, 1).map((member) => ({ ...member, role: 'Standalone' })),
    })) as Engine[];
  }),
];

const BEFORE = aDeployment('ml/qwen3', {
  engines: [
    { name: 'alone', members: [aMember({ devices: [request('gpu', 2), request('nic', 1)] })] },
    {
      name: 'gang',
      members: [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker', gpus: 3, worker: { nodes: 2 } })],
    },
  ],
});

function edited(edits: readonly Edit[]): ModelDeployment {
  const copy = structuredClone(BEFORE);
  for (const edit of edits) edit(copy as unknown as Writable);
  return copy;
}

/** What stands where a path leads, as text. */
function at(manifest: Manifest, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((holder, key) => (holder as Record<string, Json> | undefined)?.[key], manifest);
  return JSON.stringify(value) ?? '';
}

/** Paths of immutable fields that differ between objects of one kind and name. */
function refused(before: readonly Manifest[], after: readonly Manifest[]): string[] {
  return after.flatMap((manifest) => {
    const { kind, metadata } = manifest;
    const same = before.find((one) => one.kind === kind && one.metadata.name === metadata.name);
    const changed = same ? IMMUTABLE[kind]!.filter((path) => at(same, path) !== at(manifest, path)) : [];
    return changed.map((path) => `${kind} ${metadata.name} ${path}`);
  });
}

const ALL = { small: true, cluster: GKE };

test('whatever is edited, no field changes that Kubernetes refuses to change under one name', () => {
  const before = manifestsOf(BEFORE, ALL);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(...EDITS), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom('gpu.nvidia.com', 'other.example.com'),
      (edits, index, deviceClassName) => {
        const after = manifestsOf(edited(edits), { ...ALL, index, deviceClassName });
        expect(refused(before, after)).toEqual([]);
      },
    ),
  );
});

test('every edit shows in some manifest', () => {
  const before = JSON.stringify(manifestsOf(BEFORE, ALL));
  for (const edit of EDITS) {
    const some = fc.sample(edit, 8).map((one) => JSON.stringify(manifestsOf(edited([one]), ALL)));
    expect(some.some((after) => after !== before)).toBe(true);
  }
});

test('every kind is known that we make', () => {
  const kinds = manifestsOf(BEFORE, ALL).map(({ kind }) => kind);
  expect(kinds.filter((kind) => !(kind in IMMUTABLE))).toEqual([]);
});

test('an immutable field that changes under one name is found', () => {
  const template = manifestsOf(BEFORE, ALL).find(({ kind }) => kind === 'ResourceClaimTemplate');
  expect(refused([{ ...template!, spec: {} }], [template!])).toEqual([
    `ResourceClaimTemplate ${template!.metadata.name} spec`,
  ]);
});
