import { SMALL, Workspace } from '../cli/cli';
import { FakeApi } from '../cli/fake-api';
import { anObject } from './build';
import { KubernetesState, type StateObject } from './kubernetes-state';
import { PlayedWorkloads } from './played-workloads';
import { runMain } from './run-main';

/** A Deployment whose image has a tag. */
function image(tag: string, annotations: object = {}): StateObject {
  const template = { spec: { containers: [{ name: 'engine', image: `vllm:${tag}` }] } };
  return anObject('Deployment', 'ml/q', { annotations, spec: { replicas: 1, template } }) as unknown as StateObject;
}

describe('the provider of Pulumi, as the small engine plays it,', () => {
  const skipped = { 'pulumi.com/skipAwait': 'true' };
  test.each([
    ['takes the pod from before for the new one where its state has an old revision', false, 'v2'],
    ['waits for the new pod after a refresh', true, 'v3'],
  ])('%s', async (_, refreshed, want) => {
    const cluster = new PlayedWorkloads();
    const state = new KubernetesState(cluster);
    await state.register(image('v1'));
    await state.register(image('v2', skipped));
    await cluster.settled();
    if (refreshed) await state.refresh();
    await state.register(image('v3'));
    expect(cluster.serving).toEqual([want]);
  });

  test('waits again in the next update where one has failed, and deletes nothing in between', async () => {
    const cluster = new PlayedWorkloads();
    const state = new KubernetesState(cluster, 700);
    await state.register(image('v1'));
    for (const _ of ['an update', 'the next']) {
      state.begin();
      await expect(state.register(image('broken'))).rejects.toThrow('timed out');
    }
    state.begin();
    await state.register(image('v2'));
    await state.end();
    expect(cluster.serving).toEqual(['v2']);
  });
});

/** A stack of a deployment with two replicas, and the cluster that it is on. */
class PlayedStack {
  readonly cluster = new PlayedWorkloads();

  /** The NetworkPolicies that the last update applied, by replica. */
  policies: string[] = [];
  readonly #state = new KubernetesState(this.cluster);
  readonly #work = new Workspace();
  readonly #api: FakeApi;

  private constructor(api: FakeApi) {
    this.#api = api;
    api.answer = (path) => this.cluster.answer(path);
  }

  static async start(): Promise<PlayedStack> {
    return new PlayedStack(await FakeApi.start({}));
  }

  stop(): void {
    this.#api.stop();
    this.#work.remove();
  }

  async update(tag: string, config: Record<string, string> = {}, preview = false) {
    const fleet = SMALL.replace('replicas: 1', 'replicas: 2').replace('v0.23.0', tag);
    this.#work.write({ 'fleet/fleet.yaml': fleet });
    this.#state.begin();
    this.policies = [];
    const result = await runMain({
      preview,
      config: {
        'fleetwright:fleet': this.#work.path('fleet'),
        'fleetwright:lockMode': 'ephemeral',
        'fleetwright:kubeconfigs': JSON.stringify({ us: this.#api.kubeconfig({ token: 'SECRET' }) }),
        ...config,
      },
      secrets: ['fleetwright:kubeconfigs'],
      made: async (_, __, inputs) => {
        const object = inputs as unknown as StateObject;
        if (object.kind === 'NetworkPolicy') this.policies.push(/^q-\d/.exec(object.metadata.name)?.[0] ?? '');
        if (object.kind !== 'Deployment') return inputs;
        return (await this.#state.register(object)) as unknown as Record<string, unknown>;
      },
    });
    if (result.code === 0 && !preview) await this.#state.end();
    return result;
  }
}

type Play = (stack: PlayedStack) => Promise<void>;

const previews: Record<string, [config: Record<string, string>, want: string]> = {
  'with waves': [{}, 'ml/q 1 of 2'],
  'without waves': [{ 'fleetwright:waves': 'false' }, 'ml/q 0 of 2 (1 with waves)'],
};

function preview([config, want]: [Record<string, string>, string]): Play {
  return async (stack) => {
    await stack.update('v1');
    await stack.cluster.settled();
    const { code, said } = await stack.update('v2', config, true);
    expect({ code, said }).toEqual({ code: 0, said: [`replicas that serve during the update, at least: ${want}`] });
  };
}

const plays: Record<string, Play> = {
  ...Object.fromEntries(
    Object.entries(previews).map(([name, row]) => [
      `says in a preview how many serve at the lowest, ${name}`,
      preview(row),
    ]),
  ),

  'replaces them one after the other by default, also after an update without waves, and waits for the last': async (
    stack,
  ) => {
    const { cluster } = stack;
    await stack.update('v1');
    await cluster.settled();
    await cluster.holdingPods(() => stack.update('v2', { 'fleetwright:waves': 'false' }));
    expect(await cluster.settled()).toBe(2);
    const { code, said } = await stack.update('v3');
    expect({ code, mostDown: cluster.mostDown, serving: cluster.serving }).toEqual({
      code: 0,
      mostDown: 1,
      serving: ['v3', 'v3'],
    });
    expect(said.join('\n')).not.toContain('SECRET');
  },

  'keeps the second where the first does not become ready, and goes on in the next update': async (stack) => {
    const { cluster } = stack;
    await stack.update('v1');
    await cluster.settled();
    const { code, said } = await stack.update('broken');
    expect(code).not.toBe(0);
    expect(said.join('\n')).toContain(
      'ml/q: a wave of its replicas does not become ready, so the next wave does not start. us: Deployment ml/q-0-main-',
    );
    expect(cluster.serving).toEqual(['none', 'v1']);
    // The second keeps its policy too, which may admit another port than that of the new pods.
    expect(stack.policies).toEqual(['q-0']);
    expect((await stack.update('broken')).code).not.toBe(0);
    expect(cluster.serving).toEqual(['none', 'v1']);
    expect((await stack.update('v2')).code).toBe(0);
    expect(cluster.serving).toEqual(['v2', 'v2']);
  },

  'reports the last wave again in an update without changes while it is not ready, and ends well once it is': async (
    stack,
  ) => {
    const { cluster } = stack;
    await stack.update('v1');
    await cluster.settled();
    cluster.breaks = (name) => name.startsWith('q-1-');
    for (const _ of ['an update', 'the same again']) {
      const { code, said } = await stack.update('v2');
      expect({ code: code === 0, serving: cluster.serving }).toEqual({ code: false, serving: ['v2', 'none'] });
      expect(said.join('\n')).toContain('ml/q: a wave of its replicas does not become ready');
    }
    cluster.mend();
    expect(await stack.update('v2')).toMatchObject({ code: 0, said: [] });
  },

  'waits in an update without changes neither for a first rollout nor for pods that are lost later': async (stack) => {
    const { cluster } = stack;
    cluster.breaks = () => true;
    await stack.update('v1');
    expect(await stack.update('v1')).toMatchObject({ code: 0, said: [] });
    cluster.mend();
    await stack.update('v2');
    cluster.losePods();
    expect(await stack.update('v2')).toMatchObject({ code: 0, said: [] });
  },
};

describe('a stack of a deployment with two replicas', () => {
  // At once, because most of the time they wait for pods.
  test.concurrent.each(Object.entries(plays))(
    '%s',
    async (_, play) => {
      const stack = await PlayedStack.start();
      try {
        await play(stack);
      } finally {
        stack.stop();
      }
    },
    240_000,
  );
});
