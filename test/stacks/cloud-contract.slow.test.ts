import { Provider } from '@pulumi/kubernetes/provider';
import { output, runtime } from '@pulumi/pulumi';
import { acme } from '../../examples/own-cloud/acme-cloud';
import { readManifests, resolveFleet } from '../../src/files/read-fleet';
import type { Fleet } from '../../src/fleet/fleet';
import { aks } from '../../stacks/aks';
import { withoutStackTraces } from '../../stacks/runtime/disable-stack-traces';
import { eks } from '../../stacks/eks';
import { gke } from '../../stacks/gke';
import { type Cloud, cloudContract, type CloudRule } from '../../stacks/index';
import { aFleet } from '../provision/build';
import { answerOf, madeState } from './cloud-outputs';

beforeAll(() =>
  runtime.setMocks({
    newResource: ({ type, name, inputs }) => ({ id: `${name}-id`, state: madeState(type, name, inputs) }),
    call: ({ token }) => answerOf(token),
  }),
);

/** A fleet with two clusters on a cloud: one with a fixed and one with an autoscaled pool. */
function fleetOn(source: 'GKE' | 'EKS' | 'AKS'): Fleet {
  const [fixed, grows] = [aFleet(source), aFleet(source, { name: 'eu', pools: { grows: { maxNodeCount: 4 } } })];
  return { ...fixed.fleet, clusters: [fixed.cluster, grows.cluster] };
}

/** The fleet of the example, with a second cluster, and a third one with problems. */
function fleetOfExample(): Fleet {
  const { fleet } = resolveFleet(readManifests('examples/own-cloud', {}));
  const [first] = fleet.clusters;
  if (!first) throw new Error('the example has no cluster');
  const named = (name: string, custom: object = {}) => ({
    ...first,
    metadata: { ...first.metadata, name },
    spec: { ...first.spec, cluster: { source: 'Custom' as const, custom: { cloud: 'acme', ...custom } } },
  });
  return { ...fleet, clusters: [first, named('south', { region: 'leipzig' }), named('west', { region: 'paris' })] };
}

const own = (): Cloud => acme(new Provider('platform', { kubeconfig: '{}' }), 'Q0E=');

const CLOUDS: Record<string, () => readonly CloudRule[]> = {
  GKE: () => cloudContract(gke({ project: 'models' }), fleetOn('GKE')),
  EKS: () => cloudContract(eks(), fleetOn('EKS')),
  AKS: () => cloudContract(aks(), fleetOn('AKS')),
  'the cloud of examples/own-cloud': () => cloudContract(own(), fleetOfExample()),
};

const RULES = cloudContract(gke({ project: 'models' }), fleetOn('GKE')).map(({ name }) => name);

describe.each(Object.entries(CLOUDS))('%s', (_, rulesOf) => {
  test.each(RULES)('%s', async (name) => {
    expect(await violationsOf(rulesOf(), name)).toEqual([]);
  });
});

function violationsOf(rules: readonly CloudRule[], start: string): Promise<string[]> {
  const rule = rules.find(({ name }) => name.startsWith(start));
  if (!rule) throw new Error(`no rule starts with '${start}'`);
  // Jest looks up the source of each line of the stack traces that the SDK takes.
  return withoutStackTraces(() => rule.violations());
}

function shared(): Provider {
  return new Provider('shared', { kubeconfig: '{}' });
}

describe('a cloud is caught that', () => {
  let calls = 0;
  const cases: Record<string, { change: (sound: Cloud) => Partial<Cloud>; rule: string; want: string[] }> = {
    'accepts nothing': {
      change: () => ({ check: () => [{ message: 'it is full', hint: 'Wait' }] }),
      rule: 'accepts at least one',
      want: ['acme accepts no cluster of 3'],
    },
    'states a problem as a sentence': {
      change: ({ check }) => ({
        check: (cluster, fleet) =>
          cluster.metadata.name === 'west' ? [{ message: 'It is full.', hint: 'Wait' }] : check(cluster, fleet),
      }),
      rule: 'states problems',
      want: ["west: 'It is full.'"],
    },
    'remembers earlier calls': {
      change: () => ({ plan: () => ({ number: calls++ }) }),
      rule: 'finds the same problems',
      want: ['north: a second time it decides something else', 'south: a second time it decides something else'],
    },
    'changes what it reads': {
      change: () => ({
        plan: ({ metadata }) => {
          (metadata as { name: string }).name += '-';
          return {};
        },
      }),
      rule: 'does not change the declarations',
      want: ['north-: it changes', 'south-: it changes'],
    },
    'plans outputs': {
      change: () => ({ plan: () => ({ region: output('hamburg') }) }),
      rule: 'plans plain data',
      want: ['north: plan.region is not plain data', 'south: plan.region is not plain data'],
    },
    'forgets the label that pods select nodes by': {
      change: () => ({ plan: () => ({ pools: [{ name: 'h100', labels: {} }] }) }),
      rule: 'labels the nodes',
      want: [
        'north: no nodes have the label fleetwright.dev/pool: h100',
        'south: no nodes have the label fleetwright.dev/pool: h100',
      ],
    },
    'gives a cluster another name': {
      change: ({ make }) => ({ make: (plan, options) => make(plan, { ...options, name: `a-${options.name}` }) }),
      rule: 'makes a cluster of the declared name',
      want: ["north: its cluster has the name 'a-north'", "south: its cluster has the name 'a-south'"],
    },
    'uses one provider for all clusters': {
      change: ({ make }) => {
        const provider = shared();
        return { make: (plan, options) => ({ ...make(plan, options), provider }) };
      },
      rule: 'makes a provider for each',
      want: ['south: its provider is that of another cluster'],
    },
    'shows the kubeconfig': {
      change: ({ make }) => ({ make: (plan, options) => ({ ...make(plan, options), kubeconfig: output('{}') }) }),
      rule: 'keeps the kubeconfig',
      want: ['north: its kubeconfig is not a secret', 'south: its kubeconfig is not a secret'],
    },
  };
  test.each(Object.entries(cases))('%s', async (_, { change, rule, want }) => {
    const sound = own();
    expect(await violationsOf(cloudContract({ ...sound, ...change(sound) }, fleetOfExample()), rule)).toEqual(want);
  });
});
