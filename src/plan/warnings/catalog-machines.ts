import { clusterLabelsOf } from '../../api/cluster-labels';
import { PROVIDER_LABEL } from '../../api/labels';
import { formatCount } from '../../base/figures';
import { formatUnitPrice } from '../../base/money';
import { compareText } from '../../base/order';
import { type PreparedDevice, prepareDevice } from '../../cel/device';
import type { Fleet } from '../../fleet/fleet';
import type { Hardware } from '../../fleet/hardware/hardware';
import { findCatalogueEntries, toInferenceClass } from '../../fleet/hardware/search-catalogue';
import type { RequestAlternative } from '../../scheduler/compile/shapes';

/** A machine of the catalog, with its devices and its lowest known price on demand. */
interface Machine {
  readonly name: string;
  readonly provider: string | undefined;

  /** `8 x h200`. */
  readonly devices: string;
  readonly gpus: number;
  readonly perHour: number | undefined;
  readonly prepared: readonly { readonly device: PreparedDevice; readonly count: number }[];
}

const LISTED = new WeakMap<Hardware, readonly Machine[]>();

function listMachines(hardware: Hardware): readonly Machine[] {
  const listed = LISTED.get(hardware) ?? findCatalogueEntries('', hardware).map((entry) => toMachine(entry, hardware));
  LISTED.set(hardware, listed);
  return listed;
}

function toMachine(entry: ReturnType<typeof findCatalogueEntries>[number], { catalogue }: Hardware): Machine {
  const { type, gpu, provider, prices } = entry;
  const known = prices.flatMap(({ onDemand }) => onDemand?.perHour ?? []);
  const { devices } = toInferenceClass(entry, catalogue).spec;
  return {
    name: type.name,
    provider,
    devices: `${type.gpus} x ${gpu.name}`,
    gpus: type.gpus,
    perHour: known.length > 0 ? Math.min(...known) : undefined,
    prepared: devices.map((device) => ({ device: prepareDevice(device), count: device.count })),
  };
}

/**
 * Names the cheapest machine of the catalog whose devices a request matches, of the clouds of the fleet if one has it:
 * `'from: aws/p5en.48xlarge' (8 x h200, from $63.30 an hour)`. Undefined if no machine has such devices.
 *
 * @param needed the devices that a replica takes with such requests: more than one machine has are named
 */
export function findCheapestMachine(
  request: RequestAlternative,
  needed: number,
  { clusters, hardware }: Fleet,
): string | undefined {
  const providers = new Set(clusters.map((cluster) => clusterLabelsOf(cluster)[PROVIDER_LABEL]));
  const fitting = listMachines(hardware).filter(({ prepared }) => prepared.some((one) => isMatch(request, one)));
  const own = fitting.filter(({ provider }) => provider !== undefined && providers.has(provider));
  const [cheapest] = (own.length > 0 ? own : fitting).sort(
    (a, b) => (a.perHour ?? Infinity) - (b.perHour ?? Infinity) || compareText(a.name, b.name),
  );
  if (!cheapest) return undefined;
  const { name, devices, gpus, perHour } = cheapest;
  const price = perHour === undefined ? '' : `, from ${formatUnitPrice(perHour, hardware.prices.currency)} an hour`;
  const least = needed > gpus ? `, with at least ${formatCount(needed)} devices for a replica` : '';
  return `'from: ${name}' (${devices}${price})${least}`;
}

function isMatch({ selectors, count, all }: RequestAlternative, machine: Machine['prepared'][number]): boolean {
  return (
    (all === true || machine.count >= count) && selectors.every((one) => one.match(machine.device).kind === 'match')
  );
}
