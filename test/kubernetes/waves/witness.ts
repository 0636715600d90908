import type { KubeObject } from '../harness/client';
import { until } from '../harness/until';
import type { Watch } from '../harness/watch';
import { PARALLEL, type Tags } from './fleet';
import { isReady } from './group-controller';
import type { Stack } from './stack';

const LABELS = {
  deployment: 'fleetwright.dev/deployment',
  replica: 'fleetwright.dev/replica-index',
} as const;

const REPLICAS: Readonly<Record<string, number>> = { one: 3, two: 4, all: 3, gang: 2 };

/** Watches all pods, and notes each replica that goes down while too many of its deployment are down. */
export class Witness {
  /** What went wrong in the current update. */
  tooMany: string[] = [];

  /** The most replicas that were down together by a change of an update with waves, by deployment. */
  readonly #most = new Map<string, number>();
  readonly #up = new Set<string>();
  #waves = false;

  constructor(
    private readonly pods: Watch,
    private readonly stack: Stack,
  ) {
    pods.onChange(() => this.#look());
  }

  /** Begins an update, which keeps to waves or not. */
  begin(waves: boolean): void {
    this.tooMany = [];
    this.#waves = waves;
  }

  get most(): string {
    return [...this.#most].map(([name, count]) => `${name} ${count}`).join(', ');
  }

  /** Waits until all replicas have their image and are ready. */
  async allReady(tags: Tags): Promise<void> {
    const names = Object.keys(REPLICAS);
    await until('all replicas are ready', () => this.notReady(names, tags).length === 0);
  }

  /** The replicas of some deployments that are not ready with their image. */
  notReady(names: readonly string[], tags: Tags): string[] {
    return names.flatMap((name) =>
      replicasOf(name).filter((replica) => {
        const pods = this.#podsOf(replica);
        return !isUp(name, pods) || !pods.every((pod) => imageOf(pod).endsWith(`.${tags[name]}`));
      }),
    );
  }

  #podsOf(replica: string): KubeObject[] {
    return [...this.pods.objects.values()].filter((pod) => replicaOf(pod) === replica && isReady(pod));
  }

  #look(): void {
    for (const [name, parallel] of Object.entries(PARALLEL)) {
      const up = replicasOf(name).filter((replica) => isUp(name, this.#podsOf(replica)));
      const down = replicasOf(name).filter((replica) => !up.includes(replica));
      const fallen = down.filter((replica) => this.#up.has(replica) && this.#isOfUpdate(replica));
      if (this.#waves && fallen.length > 0) this.#note(name, down, parallel);
      for (const replica of down) this.#up.delete(replica);
      for (const replica of up) this.#up.add(replica);
    }
  }

  #note(name: string, down: readonly string[], parallel: number): void {
    this.#most.set(name, Math.max(this.#most.get(name) ?? 0, down.length));
    if (down.length > parallel) this.tooMany.push(`${down.join(', ')} were down together, and ${parallel} may be`);
  }

  /** Whether the current update has replaced a replica. Others fall by what an earlier update began. */
  #isOfUpdate(replica: string): boolean {
    const [name, index] = replica.split('/');
    return [...this.stack.applied].some((one) => one.includes(` ${name}-${index}-`));
  }
}

function replicasOf(name: string): string[] {
  return Array.from({ length: REPLICAS[name] ?? 0 }, (_, i) => `${name}/${i}`);
}

function replicaOf({ metadata: { labels = {} } }: KubeObject): string {
  return `${labels[LABELS.deployment]}/${labels[LABELS.replica]}`;
}

function isUp(name: string, pods: readonly KubeObject[]): boolean {
  return pods.length >= (name === 'gang' ? 2 : 1);
}

function imageOf({ spec }: KubeObject): string {
  const [container] = (spec?.['containers'] ?? []) as { image: string }[];
  return container?.image ?? '';
}
