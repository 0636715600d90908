import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { Fleet } from '../../../src/fleet/fleet';
import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { judgeCaches, parseStagedFacts, type StagedFacts } from '../../../src/live/status/cache-status';
import { createFailureFinder } from '../../../src/live/status/creation-failures';
import { judgeRoute } from '../../../src/live/status/route-status';
import { findStockouts } from '../../../src/live/status/stockouts';
import type { CacheManifests } from '../../../src/render/cluster';
import { condition, failure, live } from './live-objects';

const COMMIT = '6f6073b423013f6a7d4d9f39144961bfbfbc386b';

const CACHE = {
  cache: {
    metadata: { name: 'qwen', namespace: 'ml' },
    spec: { source: 'HuggingFace', storage: 'SharedFilesystem', huggingFace: { repo: 'a/b', revision: COMMIT } },
  },
  manifests: [live('PersistentVolumeClaim', 'qwen-pvc'), live('Job', 'qwen-stage')],
} as unknown as CacheManifests;

const BOUND = live('PersistentVolumeClaim', 'qwen-pvc', { status: { phase: 'Bound' } });

const COMPLETE = { status: { conditions: [condition('Complete', 'True')] } };
const DONE = live('Job', 'qwen-stage', COMPLETE);

/** The completed Job of an earlier declaration. */
const OLD = live('Job', 'qwen-stage-old', {
  ...COMPLETE,
  metadata: { name: 'qwen-stage-old', namespace: 'ml', labels: { 'fleetwright.dev/cache': 'qwen' } },
});

interface CacheRow {
  objects: LiveObject[];
  facts?: StagedFacts;
  unseen?: string;
  events?: LiveObject[];
  want: object;
}

const caches: Record<string, CacheRow> = {
  'its volume claim may not be listed': {
    objects: [],
    unseen: 'PersistentVolumeClaim',
    want: { level: 'unknown', phase: 'unknown', why: 'its volume claim and its Job cannot both be listed' },
  },
  'nothing of it is there': {
    objects: [],
    want: { level: 'failure', phase: 'missing', why: 'its volume claim is not there' },
  },
  'its Job is not there': {
    objects: [BOUND],
    want: { level: 'failure', phase: 'missing', why: 'its Job is not there' },
  },
  'its volume is not there yet': {
    objects: [live('PersistentVolumeClaim', 'qwen-pvc', { status: { phase: 'Pending' } }), live('Job', 'qwen-stage')],
    want: { level: 'warning', phase: 'volume', why: 'its volume claim is not bound' },
  },
  'its volume is refused': {
    objects: [live('PersistentVolumeClaim', 'qwen-pvc', { status: { phase: 'Pending' } }), live('Job', 'qwen-stage')],
    events: [failure('ProvisioningFailed', ['PersistentVolumeClaim', 'qwen-pvc'], 'no file system')],
    want: {
      level: 'warning',
      phase: 'volume',
      why: 'its volume claim is not bound; ProvisioningFailed: no file system',
    },
  },
  'its pod is refused': {
    objects: [BOUND, live('Job', 'qwen-stage')],
    events: [failure('FailedCreate', ['Job', 'qwen-stage'], 'exceeded quota')],
    want: { level: 'warning', phase: 'staging', why: 'FailedCreate: exceeded quota' },
  },
  'its pod was refused, and runs by now': {
    objects: [BOUND, live('Job', 'qwen-stage', { status: { active: 1 } })],
    events: [failure('FailedCreate', ['Job', 'qwen-stage'], 'exceeded quota')],
    want: { level: 'warning', phase: 'staging' },
  },
  'it is fetched': {
    objects: [BOUND, live('Job', 'qwen-stage')],
    want: { level: 'warning', phase: 'staging' },
  },
  'it is fetched again': {
    objects: [BOUND, live('Job', 'qwen-stage', { status: { failed: 2 } })],
    want: { level: 'warning', phase: 'staging', why: '2 attempts failed' },
  },
  'it cannot be fetched': {
    objects: [
      BOUND,
      live('Job', 'qwen-stage', {
        status: { conditions: [condition('Failed', 'True', { message: 'backoff limit' })] },
      }),
    ],
    want: { level: 'failure', phase: 'failed', why: 'backoff limit' },
  },
  'it is there, with what its marker says': {
    objects: [BOUND, DONE],
    facts: { revision: COMMIT, bytes: 7, stagedAt: '2026-11-02T10:00:00Z' },
    want: { level: 'ok', phase: 'staged', revision: COMMIT, bytes: 7, stagedAt: '2026-11-02T10:00:00Z' },
  },
  'it is there, and its pod is gone': {
    objects: [BOUND, DONE],
    facts: { stagedAt: '2026-11-02T10:00:00Z' },
    want: { level: 'ok', phase: 'staged', revision: COMMIT, stagedAt: '2026-11-02T10:00:00Z' },
  },
  'another revision than declared is there': {
    objects: [BOUND, DONE],
    facts: { revision: 'abc', bytes: 7 },
    want: { level: 'failure', phase: 'outOfDate', why: `revision ${COMMIT} is declared`, revision: 'abc', bytes: 7 },
  },
  'what an earlier declaration staged is there': {
    objects: [BOUND, OLD],
    facts: { revision: 'abc', bytes: 7 },
    want: {
      level: 'failure',
      phase: 'outOfDate',
      why: `an earlier declaration is staged: revision ${COMMIT} is declared. Apply the manifests`,
      revision: 'abc',
      bytes: 7,
    },
  },
  'an earlier declaration is there, and the next is staged': {
    objects: [BOUND, OLD, live('Job', 'qwen-stage')],
    facts: { revision: 'abc', bytes: 7 },
    want: { level: 'warning', phase: 'staging' },
  },
};

test.each(Object.entries(caches))('of a cache, %s', (_, { objects, facts = {}, unseen = '', events = [], want }) => {
  const find = (kind: string, id: string): LiveObject | undefined =>
    objects.find((one) => one.kind === kind && `ml/${one.metadata.name}` === id);
  const stagings = objects.filter((one) => one === DONE || one === OLD).map((job) => ({ job, facts }));
  const findFailure = createFailureFinder(events);
  expect(judgeCaches([CACHE], { find, findFailure, stagings, unseen: new Set([unseen]) })).toEqual([
    { cache: 'ml/qwen', ...want },
  ]);
});

test('the marker that a Job prints last is read', () => {
  const log = 'Staging /cache/x\n12 files, 9 bytes at abc\nfolder=0123456789\nrevision=abc\nfiles=12 bytes=9\n';
  expect(parseStagedFacts(log)).toEqual({ revision: 'abc', files: 12, bytes: 9 });
  expect(parseStagedFacts('sha256=ab\nfiles=1 bytes=9\nstaged=2026-11-02T10:00:00Z\n')).toEqual({
    revision: 'ab',
    files: 1,
    bytes: 9,
    stagedAt: '2026-11-02T10:00:00Z',
  });
  expect(parseStagedFacts('')).toEqual({});
});

const routes: Record<string, { status: object; want: object }> = {
  'no one has looked at it': { status: {}, want: { level: 'warning', state: 'pending' } },
  'a Gateway as the API server makes it': {
    status: { conditions: [condition('Accepted', 'Unknown'), condition('Programmed', 'Unknown')] },
    want: { level: 'warning', state: 'pending' },
  },
  'all is well': {
    status: { conditions: [condition('Accepted', 'True'), condition('Conflicted', 'False')] },
    want: { level: 'ok', state: 'ready' },
  },
  'it was judged before it changed': {
    status: { conditions: [condition('Accepted', 'True', { observedGeneration: 1 })] },
    want: { level: 'warning', state: 'pending' },
  },
  'a parent refuses it': {
    status: {
      parents: [
        {
          conditions: [condition('ResolvedRefs', 'False', { reason: 'BackendNotFound', message: 'no such' })],
        },
      ],
    },
    want: { level: 'failure', state: 'refused', why: 'BackendNotFound: no such' },
  },
  'what a policy is for refuses it': {
    status: {
      ancestors: [{ conditions: [condition('Accepted', 'False', { reason: 'Invalid', message: 'x' })] }],
    },
    want: { level: 'failure', state: 'refused', why: 'Invalid: x' },
  },
};

test.each(Object.entries(routes))('of a route, %s', (_, { status, want }) => {
  const object = live('HTTPRoute', 'chat', { status });
  const judged = judgeRoute({ ...object, metadata: { ...object.metadata, generation: 2 } });
  expect(judged).toEqual({ kind: 'HTTPRoute', namespace: 'ml', name: 'chat', ...want });
});

const SITE = {
  cluster: {
    spec: {
      poolLabel: 'pool',
      nodePools: [
        { name: 'h100', className: 'box', zones: ['us-central1-b'] },
        { name: 'l4', className: 'none', zones: [] },
      ],
    },
  } as unknown as InferenceCluster,
  fleet: {
    classes: [{ metadata: { name: 'box' }, spec: { provisioning: { gke: { machineType: 'a3-highgpu-8g' } } } }],
  } as unknown as Fleet,
};

const event = (message: string, name = 'q', kind = 'Pod'): LiveObject =>
  live('Event', 'e', { message, involvedObject: { kind, namespace: 'ml', name } });

const reported: Record<string, { events: LiveObject[]; pool?: string; want: object[] }> = {
  'a zone without machines is named with the type': {
    events: [event('Node scale up in zones us-central1-a failed: GCE out of resources')],
    want: [
      {
        level: 'failure',
        kind: 'stockout',
        pool: 'h100',
        zones: ['us-central1-a'],
        machineType: 'a3-highgpu-8g',
      },
    ],
  },
  'what Compute Engine says': {
    events: [event('ZONE_RESOURCE_POOL_EXHAUSTED')],
    want: [{ kind: 'stockout', zones: ['us-central1-b'] }],
  },
  'what EC2 says, of a group': {
    events: [
      event('Scale-up failed for group eks-h100-1a2b in us-east-1a: InsufficientInstanceCapacity', 'x', 'ConfigMap'),
    ],
    want: [{ kind: 'stockout', pool: 'h100', zones: ['us-east-1a'] }],
  },
  'what Azure says, of a scale set': {
    events: [event('Scale-up of aks-h100-12345678-vmss failed: OverconstrainedAllocationRequest', 'x', 'ConfigMap')],
    want: [{ level: 'failure', kind: 'stockout', pool: 'h100' }],
  },
  'a quota is another thing': {
    events: [event('Quota exceeded: NVIDIA_H100_GPUS')],
    want: [{ level: 'failure', kind: 'quota' }],
  },
  'no pool would help': {
    events: [event("pod didn't trigger scale-up: 1 max node group size reached")],
    want: [{ level: 'warning', kind: 'no-scale-up' }],
  },
  'a pool that no one describes has no machine type': {
    events: [event('out of resources')],
    pool: 'l4',
    want: [{ kind: 'stockout', pool: 'l4', zones: [] }],
  },
  'a pod that has its node by now': { events: [event('out of resources', 'other')], want: [] },
  'the same twice is reported once': {
    events: [event('out of resources'), event('out of resources')],
    want: [{}],
  },
};

test.each(Object.entries(reported))('of autoscalers, %s', (_, { events, pool = 'h100', want }) => {
  const waiting = new Map([['ml/q', live('Pod', 'q', { spec: { nodeSelector: { pool } } })]]);
  const found = findStockouts(events, waiting, SITE);
  expect(found).toEqual(want.map((one) => expect.objectContaining(one)));
  expect(findStockouts(events, new Map(), SITE)).toEqual([]);
});
