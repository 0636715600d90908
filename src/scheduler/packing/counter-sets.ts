/**
 * Devices that a driver makes on demand of one parent, such as partitions of a GPU: each takes an amount of every
 * counter of its parent, and the sum of all amounts is at most what the parent has (KEP-4815). The cluster chooses the
 * parent and the placement of each device, and moves no device.
 */
export interface CounterSetShape {
  /** The name of the class for it, for readers. */
  readonly name: string;
  /** Its number among the kinds of the node. */
  readonly kind: number;
  /** The parents of this form on a node. */
  readonly count: number;
  /** What a parent has of each counter. */
  readonly of: readonly number[];
  /** What each device of a parent takes of each counter. */
  readonly devices: readonly (readonly number[])[];
}

/** The devices of each parent that a pod may take, by their numbers. */
export interface Partition {
  readonly set: CounterSetShape;
  readonly devices: readonly number[];
}

/**
 * The part of a parent that a pod takes with the largest of the devices: the mean of its parts of all counters. Parts
 * that a parent gives out at once add up to at most 1, although one of them may take all of some counter.
 */
export function partOfParent({ set: { of, devices: all }, devices }: Partition): number {
  const counters = [...of.keys()].filter((c) => (of[c] ?? 0) > 0);
  const parts = devices.map((device) =>
    counters.reduce((sum, c) => sum + (all[device]?.[c] ?? 0) / (of[c] ?? 1) / counters.length, 0),
  );
  return Math.max(0, ...parts);
}

/** Whether each of the devices takes all of its parent. */
export function takesParent({ set: { of, devices: all }, devices }: Partition): boolean {
  return devices.every((device) => of.every((amount, c) => all[device]?.[c] === amount));
}

/** How many devices of each group a parent has given out. */
export type ParentState = readonly number[];

/** Devices of a parent that take the same, and that the same pods accept. */
interface DeviceGroup {
  readonly takes: readonly number[];
  readonly accepted: readonly boolean[];
  readonly devices: number;
}

/** The most states of a parent that are searched. Partitions of a GPU have some hundreds. */
const MAX_STATES = 8192;

/** One parent of a counter set, and the devices that several pods accept, in the order of the pods. */
export class Parent {
  readonly empty: ParentState;
  readonly #of: readonly number[];
  readonly #groups: readonly DeviceGroup[];
  readonly #most = new Map<string, number>();

  constructor({ of, devices }: CounterSetShape, accepted: readonly (readonly number[])[]) {
    this.#of = of;
    this.#groups = groupDevices(devices, accepted);
    this.empty = this.#groups.map(() => 0);
  }

  /** Whether the search was given up, so that no answer counts. */
  get isTooLarge(): boolean {
    return this.#most.size > MAX_STATES;
  }

  /** The states after one more device for a pod. */
  after(state: ParentState, pod: number): ParentState[] {
    return this.#groups.flatMap(({ accepted, devices }, g) => {
      const taken = (state[g] ?? 0) + 1;
      const next = state.with(g, taken);
      return accepted[pod] && taken <= devices && this.#isPossible(next) ? [next] : [];
    });
  }

  /** The number of devices that a pod can get at once, up to a limit. */
  most(state: ParentState, pod: number, limit: number): number {
    if (limit === 0 || this.isTooLarge) return 0;
    const key = `${pod} ${limit} ${state.join()}`;
    const known = this.#most.get(key);
    if (known !== undefined) return known;
    let most = 0;
    for (const next of this.after(state, pod)) {
      most = Math.max(most, 1 + this.most(next, pod, limit - 1));
      if (most === limit) break;
    }
    this.#most.set(key, most);
    return most;
  }

  #isPossible(state: ParentState): boolean {
    return this.#of.every((has, c) => {
      const taken = this.#groups.reduce((sum, { takes }, g) => sum + (takes[c] ?? 0) * (state[g] ?? 0), 0);
      return taken <= has;
    });
  }
}

function groupDevices(
  devices: CounterSetShape['devices'],
  pods: readonly (readonly number[])[],
): readonly DeviceGroup[] {
  const groups = new Map<string, DeviceGroup>();
  for (const [device, takes] of devices.entries()) {
    const accepted = pods.map((wanted) => wanted.includes(device));
    if (!accepted.includes(true)) continue;
    const key = `${takes.join()} ${accepted.join()}`;
    groups.set(key, { takes, accepted, devices: 1 + (groups.get(key)?.devices ?? 0) });
  }
  return [...groups.values()];
}
