import { computeReplicas } from '../../src/render/replica';
import { compile } from '../../src/scheduler/compile';
import { helpersOf, withHelpers } from '../../src/scheduler/helpers';
import { Matcher } from '../../src/scheduler/matcher';
import { schedule } from '../../src/scheduler/schedule';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../api/build';
import { fleetOf } from './build';

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
  beside?: Doc[];
  before?: Doc[];
  /** Thousandths of a CPU that the pod requests. */
  want: number | undefined;
}

const cases: Record<string, Case> = {
  'nothing where nobody asks': { want: undefined },
  'what its engine does': { engine: cpu('4'), want: 4000 },
  'what runs beside its engine too': { engine: cpu('4'), beside: [container('a', cpu('500m'))], want: 4500 },
  'a limit of a helper as a request': {
    engine: cpu('4'),
    beside: [container('a', { limits: { cpu: '1' } })],
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
    before: [
      container('a', cpu('1'), 'Always'),
      container('b', cpu('6')),
      container('c', cpu('1'), 'Always'),
    ],
    want: 7000,
  },
};

/** The first replica of a deployment with these containers. */
function placed({ engine = {}, beside = [], before = [] }: Omit<Case, 'want'>, nodeCpu = '100') {
  const containers = [container('engine', engine), ...beside];
  const template = { spec: { containers, ...(before.length > 0 && { initContainers: before }) } };
  const fleet = fleetOf(
    aClass('box', { node: { allocatable: { cpu: nodeCpu } } }),
    aCluster('us', { pools: { box: 1 } }),
    aDeployment('ml/q', {
      replicas: 8,
      engines: [{ name: 'main', members: [aMember({ gpus: 1, template })] }],
    }),
  );
  const model = compile(fleet, byPath);
  const matcher = new Matcher();
  const { placements } = schedule(model, [], matcher);
  const replicas = computeReplicas(fleet, model, matcher, placements);
  return { count: replicas.length, member: replicas[0]!.engines[0]!.members[0]! };
}

describe('a pod is counted with', () => {
  test.each(Object.entries(cases))('%s', (_, { want, engine = {}, beside = [], before = [] }) => {
    const { member } = placed({ engine, beside, before });
    const helpers = helpersOf(member.member.template.spec);
    const { requests } = engine as { requests?: { cpu: string } };
    const own = requests ? { cpu: Number(requests.cpu) * 1000 } : {};
    expect(withHelpers(own, helpers).cpu).toBe(want);
  });
});

test('helpers fill a node as engines do', () => {
  const beside = [container('a', cpu('15'))];
  expect(placed({ engine: cpu('10'), beside }).count).toBe(4);
  expect(placed({ engine: cpu('10') }).count).toBe(8);
});

test('steps of the start fill it too', () => {
  expect(placed({ engine: cpu('10'), before: [container('a', cpu('50'))] }).count).toBe(2);
});

test('an engine that says nothing gets its share of the node less what its helpers get', () => {
  expect(placed({}).member.requests).toEqual({ cpu: '11250m' });
  expect(placed({ beside: [container('a', cpu('1'))] }).member.requests).toEqual({ cpu: '10250m' });
  expect(placed({ beside: [container('a', cpu('1'))] }).count).toBe(8);
});

test('an engine whose helpers take more than its share requests nothing, and its pod is counted with them', () => {
  const { member, count } = placed({ beside: [container('a', cpu('25'))] });
  expect(member.requests).toEqual({});
  expect(count).toBe(4);
});
