import type { CounterSet } from '../../api/counter-sets';
import type { ClassDevice } from '../../api/device';
import { groupBy } from '../../base/order';
import { amountsOf, type ClaimableDevice } from '../../snapshot/node-info';
import type { DraftNode } from './draft-pools';

/** A kind of device that draws on counters, and what it takes on each counter set. */
export interface DraftPartition {
  readonly devices: readonly ClaimableDevice[];
  readonly counterSet: string;
  readonly placements: NonNullable<ClassDevice['placements']>;
}

/**
 * Drafts the counter sets of nodes, and the devices that draw on them. Sets of equal counters and devices are one, whose
 * count is that of the node with the fewest free ones: a set of which others hold a device is left out.
 *
 * @param kindOf a text that is equal for devices of one kind
 */
export function draftCounterSets(
  nodes: readonly DraftNode[],
  kindOf: (device: ClaimableDevice) => string,
): { readonly sets: readonly CounterSet[]; readonly partitions: readonly DraftPartition[]; readonly held: number } {
  const perNode = nodes.map((node) => listSets(node, kindOf));
  const forms = groupBy(perNode.flat(), ({ form }) => form);
  const drafted = [...forms].flatMap(([form, alike], i) => {
    const free = perNode.map((sets) => sets.filter((set) => set.form === form && !set.held).length);
    const [{ counters = {}, devices = [] } = {}] = alike;
    const name = i === 0 ? 'gpu' : `gpu-${i + 1}`;
    const count = Math.min(...free);
    if (count === 0) return [];
    const partitions = [...groupBy(devices, kindOf).values()].map((same): DraftPartition => {
      return { devices: same, counterSet: name, placements: same.map(placementOf) };
    });
    return [{ set: { name, count, counters }, partitions }];
  });
  return {
    sets: drafted.map(({ set }) => set),
    partitions: drafted.flatMap(({ partitions }) => partitions),
    held: perNode.flat().filter(({ held }) => held).length,
  };
}

interface PublishedSet {
  readonly form: string;
  readonly counters: Readonly<Record<string, string>>;
  readonly devices: readonly ClaimableDevice[];
  readonly held: boolean;
}

function listSets({ devices, held }: DraftNode, kindOf: (device: ClaimableDevice) => string): PublishedSet[] {
  const drawing = devices.filter(({ counters }) => counters !== undefined);
  const sets = groupBy(drawing, ({ driver, pool, device }) =>
    JSON.stringify([driver, pool, device.consumesCounters[0]?.counterSet]),
  );
  return [...sets.values()].map((own) => {
    const counters = own[0]?.counters ?? {};
    const takes = own.map((one) => JSON.stringify([kindOf(one), placementOf(one)])).sort();
    return {
      form: JSON.stringify([counters, takes]),
      counters,
      devices: own,
      held: own.some((one) => held.has(one)),
    };
  });
}

function placementOf({ device }: ClaimableDevice): Record<string, string> {
  return amountsOf(device.consumesCounters[0]?.counters ?? {});
}
