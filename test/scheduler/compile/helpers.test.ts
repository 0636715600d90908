import type { Resource } from '../../../src/api/kinds';
import { CACHE_WAIT_CONTAINER, listAddedContainers } from '../../../src/engine/added-containers';
import { compileFleet } from '../../../src/plan/compile-fleet';
import { renderPodTemplate } from '../../../src/render/pod/pod';
import { computeReplicas } from '../../../src/replicas/compute-replicas';
import type { ComputedReplica } from '../../../src/replicas/replica';
import { addSidecarRequests, sidecarRequestsOf } from '../../../src/scheduler/compile/resource-requests';
import { PodMatcher } from '../../../src/scheduler/devices/match-pod';
import { schedule } from '../../../src/scheduler/schedule';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc } from '../../api/build';
import { fleetOf } from '../build';

const cpu = (amount: string): Doc => ({ requests: { cpu: amount } });

/** A container that requests CPU. */
function container(name: string, resources: Doc = {}, restartPolicy?: 'Always'): Doc {
  return {
    name,
    image: 'vllm/vllm-openai:v0.23.0',
    args: ['m'],
    resources,
    ...(restartPolicy && { restartPolicy }),
  };
}

interface Case {
  engine?: Doc;
  others?: Doc[];
  before?: Doc[];
  /** Thousandths of a CPU that the pod requests. */
  want: number | undefined;
}

const cases: Record<string, Case> = {
  'nothing where no one asks': { want: undefined },
  'what its engine does': { engine: cpu('4'), want: 4000 },
  'what runs next to its engine too': { engine: cpu('4'), others: [container('a', cpu('500m'))], want: 4500 },
  'a limit of a helper as a request': {
    engine: cpu('4'),
    others: [container('a', { limits: { cpu: '1' } })],
    want: 5000,
  },
  'its sidecars too, which start before': {
    engine: cpu('4'),
    before: [container('a', cpu('1'), 'Always')],
    want: 5000,
  },
  'not the steps of its start, where they take less': {
    engine: cpu('4'),
    before: [container('a', cpu('3'))],
    want: 4000,
  },
  'the largest step of its start, where that takes more': {
    engine: cpu('4'),
    before: [container('a', cpu('6')), container('b', cpu('5'))],
    want: 6000,
  },
  'a step with the sidecars that run by then': {
    engine: cpu('4'),
    before: [container('a', cpu('1'), 'Always'), container('b', cpu('6')), container('c', cpu('1'), 'Always')],
    want: 7000,
  },
};

const BOX = aClass('box', { node: { allocatable: { cpu: '100' } } });

/** The first replica of a deployment with these containers, and how many there is room for. */
function placed({ engine = {}, others = [], before = [] }: Omit<Case, 'want'>) {
  const containers = [container('engine', engine), ...others];
  const template = { spec: { containers, ...(before.length > 0 && { initContainers: before }) } };
  const engines = [{ name: 'main', members: [aMember({ gpus: 1, template })] }];
  const { replicas } = onBox(aDeployment('ml/q', { replicas: 8, engines }));
  return { count: replicas.length, member: replicas[0]!.engines[0]!.members[0]! };
}

/** A fleet with one box. */
function onBox(...resources: Resource[]) {
  const storage = { sharedFilesystem: { storageClassName: 'nfs' } };
  const fleet = fleetOf(BOX, aCluster('us', { pools: { box: 1 }, storage }), ...resources);
  const model = compileFleet(fleet, byPath);
  const matcher = new PodMatcher();
  const { placements } = schedule(model, [], matcher);
  return { model, replicas: computeReplicas(fleet, model, matcher, placements) };
}

describe('a pod is counted with', () => {
  test.each(Object.entries(cases))('%s', (_, { want, engine = {}, others = [], before = [] }) => {
    const { member } = placed({ engine, others, before });
    const helpers = sidecarRequestsOf(member.member.template.spec, []);
    const { requests } = engine as { requests?: { cpu: string } };
    const own = requests ? { cpu: Number(requests.cpu) * 1000 } : {};
    expect(addSidecarRequests(own, helpers).cpu).toBe(want);
  });
});

test('helpers fill a node as engines do', () => {
  const others = [container('a', cpu('15'))];
  expect(placed({ engine: cpu('10'), others }).count).toBe(4);
  expect(placed({ engine: cpu('10') }).count).toBe(8);
});

test('steps of the start fill it too', () => {
  expect(placed({ engine: cpu('10'), before: [container('a', cpu('50'))] }).count).toBe(2);
});

test('an engine that says nothing gets its share of the node less what its helpers get', () => {
  expect(placed({}).member.requests).toEqual({ cpu: '11250m', memory: '6Gi' });
  expect(placed({ others: [container('a', cpu('1'))] }).member.requests).toEqual({ cpu: '10250m', memory: '6Gi' });
  expect(placed({ others: [container('a', cpu('1'))] }).count).toBe(8);
});

test('an engine whose helpers take more than its share requests nothing of it, and its pod is counted with them', () => {
  const { member, count } = placed({ others: [container('a', cpu('25'))] });
  expect(member.requests).toEqual({ memory: '6Gi' });
  expect(count).toBe(4);
});

const phase = (name: string, of: string, engine: Doc = {}, more: Doc = {}): Doc => {
  const template = { spec: { containers: [container('engine', engine)], ...more } };
  return { name, phase: of, members: [aMember({ gpus: 1, template })] };
};
const pairOf = (engine: Doc): Resource =>
  aDeployment('ml/q', {
    replicas: 8,
    serving: { mode: 'PrefillDecode' },
    engines: [phase('p', 'Prefill', engine), phase('d', 'Decode', engine)],
  });

describe('what we put before an engine is counted:', () => {
  const gang = { ...anEngine('d', { workers: 1 }), phase: 'Decode' };
  const pair = (decode: Doc, more: Doc = {}): Resource =>
    aDeployment('ml/q', {
      serving: { mode: 'PrefillDecode' },
      engines: [phase('p', 'Prefill'), decode],
      ...more,
    });
  const none = { running: {}, startup: {} };
  const waits = { running: {}, startup: { cpu: 10, memory: 16 * 2 ** 20 } };
  const proxy = { cpu: 500, memory: 256 * 2 ** 20 };
  const behind = { running: proxy, startup: proxy };
  const weights = aCache('ml/weights');
  const adopted = { source: 'ExistingPVC', huggingFace: undefined, sizeGiB: undefined };
  const adapter = { name: 'sql', modelCacheRef: { name: 'sql' } };
  const cases: Record<string, { of: Resource[]; want: Doc }> = {
    'nothing before most': { of: [aDeployment('ml/q')], want: { 'main Standalone': none } },
    'what waits until a model is staged': {
      of: [aDeployment('ml/q', { cache: 'weights' }), weights],
      want: { 'main Standalone': waits },
    },
    'what waits until an adapter is staged': {
      of: [aDeployment('ml/q', { loraAdapters: [adapter] }), aCache('ml/sql', { content: 'LoRA' })],
      want: { 'main Standalone': waits },
    },
    'nothing where files are there already': {
      of: [
        aDeployment('ml/q', { cache: 'weights' }),
        aCache('ml/weights', { ...adopted, existingPVC: { claimName: 'data' } }),
      ],
      want: { 'main Standalone': none },
    },
    'the sidecar of an engine that decodes': {
      of: [pair(phase('d', 'Decode'))],
      want: { 'p Standalone': none, 'd Standalone': behind },
    },
    both: {
      of: [pair(phase('d', 'Decode'), { cache: 'weights' }), weights],
      want: { 'p Standalone': waits, 'd Standalone': behind },
    },
    'the sidecar under the steps of users, which come after it': {
      of: [pair(phase('d', 'Decode', {}, { initContainers: [container('a', cpu('20'))] }))],
      want: {
        'p Standalone': none,
        'd Standalone': { running: proxy, startup: { cpu: 20_500, memory: proxy.memory } },
      },
    },
    'no sidecar of a rank that answers no one': {
      of: [pair(gang)],
      want: { 'p Standalone': none, 'd Leader': behind, 'd Worker': none },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    const [workload] = onBox(...of).model.deployments;
    const helpers = workload!.demand.engines.flatMap(({ name, members }) =>
      members.map(({ role, pod }) => [`${name} ${role}`, pod.sidecars]),
    );
    expect(Object.fromEntries(helpers)).toEqual(want);
  });

  test('it fills a node as engines do, and what engines get is less', () => {
    expect(onBox(pairOf(cpu('16'))).replicas).toHaveLength(3);
    expect(onBox(pairOf(cpu('16500m'))).replicas).toHaveLength(2);
    const [{ engines }] = onBox(pairOf({})).replicas as [ComputedReplica];
    const requests = engines.map(({ members: [one] }) => one!.requests);
    expect(requests).toEqual([
      { cpu: '11250m', memory: '6Gi' },
      { cpu: '10750m', memory: '6Gi' },
    ]);
  });

  test('it is what pods have', () => {
    const [{ engines, ...rest }] = onBox(pair(gang, { cache: 'weights' }), weights).replicas as [ComputedReplica];
    for (const engine of engines) {
      for (const member of engine.members) {
        const { spec } = renderPodTemplate({ engines, ...rest }, engine, member) as { spec: Doc };
        const before = spec.initContainers as Doc[];
        const counted = listAddedContainers(rest.deployment, engine.engine, member.member, [CACHE_WAIT_CONTAINER]);
        expect(
          before.map(({ resources, restartPolicy }) => ({
            limits: {},
            ...(resources as Doc),
            restartPolicy,
          })),
        ).toEqual(counted.map(({ resources, restartPolicy }) => ({ ...resources, restartPolicy })));
      }
    }
  });
});
