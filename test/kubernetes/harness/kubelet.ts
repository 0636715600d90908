import type { Answer, Client, Doc, KubeObject } from './client';
import { Watch } from './watch';

/** How long pods take, in milliseconds. */
export interface Delays {
  /** From bound to running and ready. */
  readonly start: number;

  /** From the wish to delete a pod to its end. */
  readonly stop: number;
}

/** How long a kubelet waits before it asks again for what the API server did not do, in milliseconds. */
const RETRY_DELAY = 1_000;

/** Plays the kubelets of all nodes: pods that are bound run and become ready, pods that are deleted end. */
export class Kubelet {
  readonly pods: Watch;
  readonly #busy = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(
    private readonly client: Client,
    private readonly delays: (pod: KubeObject) => Delays = () => ({ start: 0, stop: 0 }),
  ) {
    this.pods = new Watch(client, '/api/v1/pods');
    this.pods.onChange((pod, gone) => {
      if (!gone) this.#see(pod);
    });
  }

  start(): Promise<void> {
    return this.pods.start();
  }

  stop(): void {
    this.#stopped = true;
    this.pods.stop();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #see(pod: KubeObject): void {
    if (!pod.spec?.['nodeName']) return;
    const { start, stop } = this.delays(pod);
    const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`;
    if (pod.metadata.deletionTimestamp) {
      this.#later('stop', pod, stop, () =>
        this.client.delete(path, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } }),
      );
    } else if (pod.status?.['phase'] === 'Pending') {
      this.#later('start', pod, start, () => this.client.patch(`${path}/status`, running(pod)));
    }
  }

  /** Does something once for a pod, after a while. */
  #later(what: string, pod: KubeObject, delay: number, act: () => Promise<Answer>): void {
    const key = `${what} ${pod.metadata.uid}`;
    if (this.#busy.has(key)) return;
    this.#busy.add(key);
    this.#after(delay, pod, act);
  }

  /** Tries until it succeeds, or the pod has gone: no event comes for what a busy API server did not do. */
  #after(delay: number, pod: KubeObject, act: () => Promise<Answer>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#try(pod, act);
    }, delay);
    this.#timers.add(timer);
  }

  async #try(pod: KubeObject, act: () => Promise<Answer>): Promise<void> {
    const done = await act().then(
      ({ status }) => status < 300,
      () => false,
    );
    const { namespace, name, uid } = pod.metadata;
    const isHere = this.pods.objects.get(`${namespace}/${name}`)?.metadata.uid === uid;
    if (!done && isHere && !this.#stopped) this.#after(RETRY_DELAY, pod, act);
  }
}

function running({ metadata: { uid }, spec, status }: KubeObject): Doc {
  const containers = (spec?.['containers'] ?? []) as { name: string; image: string }[];
  const conditions = (status?.['conditions'] ?? []) as { type: string }[];
  const now = new Date().toISOString();
  const ready = ['Initialized', 'Ready', 'ContainersReady'];
  return {
    // A pod of the same name may have come since.
    metadata: { uid },
    status: {
      phase: 'Running',
      conditions: [
        ...conditions.filter(({ type }) => !ready.includes(type)),
        ...ready.map((type) => ({ type, status: 'True', lastTransitionTime: now })),
      ],
      containerStatuses: containers.map(({ name, image }) => ({
        name,
        image,
        imageID: image,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: now } },
      })),
    },
  };
}
