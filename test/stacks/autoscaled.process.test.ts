import { SMALL, Workspace } from '../cli/cli';
import { FakeApi } from '../cli/fake-api';
import { KubernetesState, type StateObject, type StateTarget } from './kubernetes-state';
import { runMain } from './run-main';

/** A cluster on which applying keeps fields that others own, and counts what it changes. */
class ScaledCluster implements StateTarget {
  readonly applied: string[] = [];
  readonly #objects = new Map<string, StateObject>();

  async apply(object: StateObject): Promise<StateObject> {
    this.applied.push(object.kind);
    const before = this.#objects.get(object.metadata.name);
    const replicas = object.spec?.['replicas'] ?? before?.spec?.['replicas'] ?? 1;
    const live = { ...object, spec: { ...object.spec, replicas } };
    this.#objects.set(object.metadata.name, live);
    return live;
  }

  async read({ metadata }: StateObject): Promise<StateObject | undefined> {
    return this.#objects.get(metadata.name);
  }

  async remove({ metadata }: StateObject): Promise<void> {
    this.#objects.delete(metadata.name);
  }

  /** Sets the number of copies, as an autoscaler does. */
  scale(replicas: number): void {
    for (const [name, one] of this.#objects) this.#objects.set(name, { ...one, spec: { ...one.spec, replicas } });
  }

  get copies(): unknown[] {
    return [...this.#objects.values()].map(({ spec }) => spec?.['replicas']);
  }
}

const SCALED = SMALL.replace('nodePools:', 'monitoring: {}\n  nodePools:').replace(
  '- name: main\n',
  '- name: main\n          copies: { min: 1, max: 2 }\n          scaling: { on: [{ queue: 4 }] }\n',
);

describe('a stack with an engine that scales', () => {
  let work: Workspace;
  let api: FakeApi;
  const cluster = new ScaledCluster();
  const state = new KubernetesState(cluster);
  const registered = new Set<string>();
  beforeAll(async () => {
    work = new Workspace();
    api = await FakeApi.start({});
    api.answer = (path) => (path.startsWith('/version') ? { gitVersion: 'v1.36.0' } : undefined);
  });
  afterAll(() => {
    api.stop();
    work.remove();
  });

  async function update(tag: string): Promise<void> {
    work.write({ 'fleet/fleet.yaml': SCALED.replace('v0.23.0', tag) });
    state.begin();
    const { code, said } = await runMain({
      preview: false,
      config: {
        'fleetwright:fleet': work.path('fleet'),
        'fleetwright:lockMode': 'ephemeral',
        'fleetwright:waves': 'false',
        'fleetwright:precheck': 'false',
        'fleetwright:kubeconfigs': JSON.stringify({ us: api.kubeconfig({ token: 'SECRET' }) }),
      },
      secrets: ['fleetwright:kubeconfigs'],
      made: async (_, __, inputs) => {
        registered.add(String(inputs['kind']));
        return inputs['kind'] === 'Deployment'
          ? ((await state.register(inputs as unknown as StateObject)) as unknown as Record<string, unknown>)
          : inputs;
      },
    });
    expect({ code, said }).toEqual({ code: 0, said: [] });
    await state.end();
  }

  test('never changes the number of copies that the autoscaler has set', async () => {
    await update('v1');
    expect(registered).toContain('ScaledObject');
    cluster.scale(2);
    await state.refresh();
    await update('v1');
    expect({ copies: cluster.copies, applied: cluster.applied }).toEqual({ copies: [2], applied: ['Deployment'] });
    await update('v2');
    expect({ copies: cluster.copies, applied: cluster.applied.length }).toEqual({ copies: [2], applied: 2 });
  }, 240_000);
});
