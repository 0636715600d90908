import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster, InferenceGateway, ModelService } from '../../constructs/index';
import { FleetStack } from '../../stacks/index';
import { cluster, deployment, EIGHT_GPUS, engine } from '../constructs/build';
import { record, type Registered } from './record';

beforeEach(() => void jest.spyOn(console, 'warn').mockImplementation());
afterEach(() => jest.restoreAllMocks());

const PATTERNS = {
  route: /:HTTPRoute us/,
  service: /core\/v1:Service us/,
  workload: /apps\/v1:Deployment us/,
};

/** A service over a deployment, of which each replica has an entry of its own. */
function registered(replicas: number): Promise<Registered[]> {
  return record(() => {
    const fleet = new Fleet(new App(), 'main');
    const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
    const tls = { issuer: { name: 'fleet' }, caRef: { name: 'ca' } };
    new InferenceCluster(fleet, 'us', { ...cluster(h100), gateway: { tls } });
    deployment(fleet, 'q', { replicas, engines: [engine(1)] });
    deployment(fleet, 'stays', { engines: [engine(1)] });
    new InferenceGateway(fleet, 'default', { clusters: ['us'], hostname: 'models.example.com' });
    const endpoints = [0, 1].slice(0, replicas).map((index) => ({
      selector: {
        matchLabels: { 'fleetwright.dev/deployment': 'q', 'fleetwright.dev/replica-index': String(index) },
      },
    }));
    const other = { selector: { matchLabels: { 'fleetwright.dev/deployment': 'stays' } } };
    new ModelService(fleet, 'chat', { namespace: 'ml', endpoints: [...endpoints, other] });
    new FleetStack('models', { fleet, kubeconfigs: { us: 'token: abc' }, lockMode: 'ephemeral' });
  });
}

/**
 * What an update does, in the order of the engine: it registers everything as the program does, then deletes what the
 * program did not register, each after all that depended on it.
 */
function stepsOf(before: readonly Registered[], after: readonly Registered[]): string[] {
  const now = new Map(after.map((one) => [`${one.type} ${one.name}`, JSON.stringify(one.inputs)]));
  const was = new Map(before.map((one) => [`${one.type} ${one.name}`, JSON.stringify(one.inputs)]));
  const changed = [...now].filter(([id, inputs]) => was.get(id) !== inputs).map(([id]) => `apply ${id}`);
  const gone = before.filter((one) => !now.has(`${one.type} ${one.name}`));
  return [...changed, ...deleted(gone).map((id) => `delete ${id}`)];
}

/** Dependents first, and of what does not depend on each other routes last: the worst of all orders. */
function deleted(gone: readonly Registered[]): string[] {
  const left = new Map(gone.map((one) => [`${one.type} ${one.name}`, one]));
  const order: string[] = [];
  while (left.size > 0) {
    const held = new Set([...left.values()].flatMap(({ dependsOn }) => dependsOn));
    const free = [...left.keys()].filter((id) => !held.has(id));
    const next = free.find((id) => !PATTERNS.route.test(id)) ?? free[0] ?? '';
    left.delete(next);
    order.push(next);
  }
  return order;
}

interface Objects {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly template?: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  };
}

/** Each Service and workload of some objects with a route that leads to it. */
function pairs(all: readonly Registered[]): [behind: string, route: string][] {
  const of = (kind: RegExp) =>
    all
      .filter((one) => kind.test(`${one.type} ${one.name}`))
      .map((one) => ({ id: `${one.type} ${one.name}`, ...(one.inputs as unknown as Objects) }));
  const [routes, services, workloads] = [of(PATTERNS.route), of(PATTERNS.service), of(PATTERNS.workload)];
  return services.flatMap(({ id, metadata, spec }) => {
    const wanted = Object.entries(spec.selector ?? {});
    const chosen = workloads.filter((one) =>
      wanted.every(([key, value]) => one.spec.template?.metadata.labels[key] === value),
    );
    const leading = routes.filter((route) => JSON.stringify(route.spec).includes(`"name":"${metadata.name}"`));
    return leading.flatMap((route) =>
      [id, ...chosen.map((one) => one.id)].map((one): [string, string] => [one, route.id]),
    );
  });
}

test.each([
  ['one of two replicas', 2, 1],
  ['the last replica', 1, 0],
])(
  'an update takes %s out of its routes, and changes all others, before it deletes what serves',
  async (_, from, to) => {
    const before = await registered(from);
    const steps = stepsOf(before, await registered(to));
    const applied = steps.filter((step) => step.startsWith('apply ')).length;
    const gone = pairs(before).filter(([behind]) => steps.includes(`delete ${behind}`));
    expect(gone.some(([behind]) => PATTERNS.workload.test(behind))).toBe(true);
    expect(steps.slice(0, applied).some((step) => PATTERNS.route.test(step))).toBe(true);
    for (const [behind, route] of gone) {
      const at = steps.findIndex((step) => step.endsWith(` ${route}`));
      expect({ route, at: at >= 0 && at < steps.indexOf(`delete ${behind}`) }).toEqual({ route, at: true });
    }
  },
);
