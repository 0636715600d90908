import { groupBy } from '../order';
import type { Recorded, Snapshot } from './recorded';
import type { PublishedDevice, Slice } from './slice';

/** A device that pods can claim on a node, as its driver published it. */
export interface Published {
  readonly driver: string;
  readonly device: PublishedDevice;
  /** The place of a field of the device: `file:line:column`. */
  readonly place: (path: readonly string[]) => string;
}

/** Effects of a device taint that keep away claims which do not tolerate it. A plan counts on devices for any claim. */
const REPELLING: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/**
 * The devices of each node that a claim can get. As the cluster's allocator does, it reads of each pool of
 * slices only the newest generation, passes over one of which slices are missing, and over tainted devices.
 */
export function publishedByNode({ slices }: Pick<Snapshot, 'slices'>): Map<string, Published[]> {
  const local = slices.filter(({ value }) => value.spec.nodeName !== undefined);
  const pools = groupBy(local, ({ value: { spec } }) => JSON.stringify([spec.driver, spec.pool.name]));
  const devices = [...pools.values()].flatMap(currentSlices).flatMap(devicesOf);
  const byNode = groupBy(devices, ({ node }) => node);
  return new Map([...byNode].map(([node, own]) => [node, own.map(({ published }) => published)]));
}

function currentSlices(slices: readonly Recorded<Slice>[]): readonly Recorded<Slice>[] {
  const generation = Math.max(...slices.map(({ value }) => value.spec.pool.generation));
  const current = slices.filter(({ value }) => value.spec.pool.generation === generation);
  const complete = current.every(({ value }) => value.spec.pool.resourceSliceCount === current.length);
  return complete ? current : [];
}

function devicesOf({ value: { spec }, place }: Recorded<Slice>): { node: string; published: Published }[] {
  return spec.devices.flatMap((device, d) => {
    if (device.taints.some(({ effect }) => REPELLING.has(effect))) return [];
    const at = (path: readonly string[]): string => place(['spec', 'devices', d, ...path]);
    return [{ node: spec.nodeName ?? '', published: { driver: spec.driver, device, place: at } }];
  });
}
