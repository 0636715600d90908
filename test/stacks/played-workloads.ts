import { setTimeout as sleep } from 'node:timers/promises';
import type { StateObject, StateTarget } from './kubernetes-state';

interface Played {
  object: StateObject;
  generation: number;

  /** The generation that its controller has seen, and the template of its pod. */
  seen: number;
  pod: unknown;
  isReady: boolean;

  /** Whether its last rollout was complete at a time. */
  done: boolean;
  revision: number;
}

/** How long the controller takes to see a change, and a pod to become ready, in milliseconds. */
const DELAY = { see: 150, start: 400 };

/** A cluster with Deployments of one pod each, and the controller and kubelet that run them. */
export class PlayedWorkloads implements StateTarget {
  /** Whether the pods of a Deployment never become ready, by its name. */
  breaks: (name: string) => boolean = () => false;

  /** The most Deployments that were down together. */
  mostDown = 0;
  readonly #all = new Map<string, Played>();
  #held: Promise<unknown> = Promise.resolve();

  async apply(object: StateObject): Promise<StateObject> {
    const { name } = object.metadata;
    const before = this.#all.get(name);
    const generation = (before?.generation ?? 0) + 1;
    const played = { seen: 0, pod: undefined, isReady: false, done: false, revision: 0, ...before, object, generation };
    this.#all.set(name, played);
    if (object.kind === 'Deployment') void this.#roll(name, generation);
    return this.#live(played);
  }

  async read({ metadata: { name } }: StateObject): Promise<StateObject | undefined> {
    const played = this.#all.get(name);
    return played && this.#live(played);
  }

  async remove({ metadata: { name } }: StateObject): Promise<void> {
    this.#all.delete(name);
  }

  /** The image that serves in each Deployment, in the order of their names. */
  get serving(): string[] {
    return this.#deployments.map(({ pod, isReady }) =>
      isReady ? (/"image":"[^"]*:([^"]*)"/.exec(JSON.stringify(pod))?.[1] ?? '') : 'none',
    );
  }

  /** Waits until no rollout is under way, and returns the most Deployments that were down together since the last. */
  async settled(): Promise<number> {
    while (this.#deployments.some(({ isReady, seen, generation }) => !isReady || seen < generation)) await sleep(20);
    const { mostDown } = this;
    this.mostDown = 0;
    return mostDown;
  }

  /** Keeps pods from becoming ready while something is done, however long that takes. */
  async holdingPods(act: () => Promise<unknown>): Promise<void> {
    const acted = act();
    this.#held = acted.catch(() => undefined);
    await acted;
  }

  /** What the API server answers. */
  answer(path: string): object | undefined {
    if (path.startsWith('/version')) return { gitVersion: 'v1.36.0' };
    const plural = /([a-z]+)\?/.exec(path)?.[1] ?? '';
    const items = this.#lists[plural];
    return items && { kind: `${KINDS[plural]}List`, items: items() };
  }

  get #deployments(): Played[] {
    const all = [...this.#all.values()].filter(({ object }) => object.kind === 'Deployment');
    return all.sort((a, b) => (a.object.metadata.name < b.object.metadata.name ? -1 : 1));
  }

  readonly #lists: Readonly<Record<string, () => object[]>> = {
    deployments: () => this.#deployments.map((one) => this.#live(one)),
    replicasets: () => this.#deployments.map((one) => this.#setOf(one)),
    pods: () => this.#deployments.map((one) => this.#podOf(one)),
    events: () => [],
    resourceclaimtemplates: () => [],
  };

  async #roll(name: string, generation: number): Promise<void> {
    await sleep(DELAY.see);
    const played = this.#all.get(name);
    if (!played || played.generation !== generation) return;
    const template = played.object.spec?.['template'];
    const isSame = JSON.stringify(template) === JSON.stringify(played.pod);
    Object.assign(played, { seen: generation, pod: template });
    if (isSame) return;
    Object.assign(played, { isReady: false, done: false, revision: played.revision + 1 });
    const down = this.#deployments.filter(({ isReady }) => !isReady).length;
    this.mostDown = Math.max(this.mostDown, down);
    await this.#held;
    await sleep(DELAY.start);
    if (played.generation === generation && !this.#isBroken(played))
      Object.assign(played, { isReady: true, done: true });
  }

  /** Whether its pods never become ready. */
  #isBroken({ object }: Played): boolean {
    return JSON.stringify(object.spec).includes(':broken"') || this.breaks(object.metadata.name);
  }

  /** Makes pods ready that did not become ready before. */
  mend(): void {
    this.breaks = () => false;
    for (const played of this.#deployments) Object.assign(played, { isReady: true, done: true });
  }

  /** Loses the pod of each Deployment for good. */
  losePods(): void {
    for (const played of this.#deployments) Object.assign(played, { isReady: false });
  }

  #live(played: Played): StateObject {
    const { object, generation, seen, isReady, done, revision } = played;
    const count = isReady ? 1 : 0;
    const annotations = { ...object.metadata.annotations, ...(revision > 0 && { [REVISION]: String(revision) }) };
    const status = { observedGeneration: seen, updatedReplicas: 1, replicas: 1, availableReplicas: count };
    const isAbandoned = !done && this.#isBroken(played) && seen === generation;
    const reason = done ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated';
    const conditions = [isAbandoned ? ABANDONED : { type: 'Progressing', status: 'True', reason }];
    return {
      ...object,
      metadata: { ...object.metadata, uid: object.metadata.name, generation, annotations },
      status: { ...status, conditions },
    };
  }

  #setOf({ object, pod }: Played): object {
    const { name, namespace } = object.metadata;
    const ownerReferences = [{ uid: name }];
    return { metadata: { name: `${name}-x`, namespace, uid: `${name}-x`, ownerReferences }, spec: { template: pod } };
  }

  #podOf({ object, isReady }: Played): object {
    const { name, namespace } = object.metadata;
    const ownerReferences = [{ uid: `${name}-x` }];
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
    const metadata = { name: `${name}-x-y`, namespace, ownerReferences };
    return { metadata, spec: { nodeName: 'n0' }, status: { phase: 'Running', conditions } };
  }
}

const REVISION = 'deployment.kubernetes.io/revision';

const ABANDONED = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'the rollout has timed out',
};

const KINDS: Readonly<Record<string, string>> = {
  deployments: 'Deployment',
  replicasets: 'ReplicaSet',
  pods: 'Pod',
  events: 'Event',
  resourceclaimtemplates: 'ResourceClaimTemplate',
};
