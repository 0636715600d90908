import type { PodTemplate } from '../../api/pod/pod-template';
import { parseQuantity } from '../../cel/values/quantity';
import type { AddedContainer } from '../../engine/added-containers';

/** CPU and memory as Kubernetes quantities. */
interface ResourceQuantities {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

/** CPU in thousandths, or memory in bytes. */
export type ResourceName = 'cpu' | 'memory';

/** The units of the ledger: CPU in thousandths, memory in bytes. Whole numbers, so that sums are exact. */
const LEDGER_UNITS: Readonly<Record<ResourceName, number>> = { cpu: 1000, memory: 1 };

/** CPU and memory. */
export const RESOURCE_NAMES: readonly ResourceName[] = ['cpu', 'memory'];

/** The stated resources in the units of the ledger, rounded up. */
export function parseResources(amounts: ResourceQuantities): ResourceAmounts {
  const stated = RESOURCE_NAMES.flatMap((name) => {
    const text = amounts[name];
    return text === undefined ? [] : [[name, Math.ceil(parseQuantity(text).asApproximateFloat() * LEDGER_UNITS[name])]];
  });
  return Object.fromEntries(stated);
}

const DECIMAL_SUFFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Formats an amount of the ledger as a Kubernetes quantity, in the form that the API server returns. */
export function formatResourceAmount(name: ResourceName, amount: number): string {
  if (name === 'cpu')
    return amount % LEDGER_UNITS.cpu === 0
      ? formatWithSuffix(amount / LEDGER_UNITS.cpu, 1000, DECIMAL_SUFFIXES)
      : `${amount}m`;
  return amount % 1024 === 0
    ? formatWithSuffix(amount, 1024, BINARY_SUFFIXES)
    : formatWithSuffix(amount, 1000, DECIMAL_SUFFIXES);
}

/** A whole number with the largest suffix that keeps it whole. */
function formatWithSuffix(amount: number, base: number, suffixes: readonly string[]): string {
  const [suffix = '', ...larger] = suffixes;
  const divides = amount > 0 && amount % base === 0 && larger.length > 0;
  return divides ? formatWithSuffix(amount / base, base, larger) : `${amount}${suffix}`;
}

/** What computed requests are multiples of, in the units of the ledger: memory in bytes is hard to read. */
const STEPS: Readonly<Record<ResourceName, number>> = { cpu: 1, memory: 2 ** 20 };

/** An amount rounded down to thousandths of a CPU, or to whole Mi of memory. */
export function roundResourceDown(name: ResourceName, amount: number): number {
  return Math.floor(amount / STEPS[name]) * STEPS[name];
}

/** CPU and memory in the units of the ledger. */
export type ResourceAmounts = Readonly<Partial<Record<ResourceName, number>>>;

/**
 * The least that an engine requests where nothing better is known: a core for each process, and host memory for each
 * process of a device. Weights and the KV cache are in the memory of the devices. vLLM states the cores, "at minimum
 * 2 + N processes" for N GPUs (docs.vllm.ai, Optimization and Tuning); its example for Kubernetes requests 6G of memory
 * for one GPU, of which 4Gi are the default of `--swap-space` for each GPU.
 */
const FLOOR = {
  cpu: ({ processes, devices }) => (processes + devices) * LEDGER_UNITS.cpu,
  memory: ({ devices }) => (2 + 4 * devices) * 2 ** 30,
} satisfies Record<ResourceName, (engine: EngineLoad) => number>;

interface EngineLoad {
  /** Processes that keep a core busy, in addition to one for each device. */
  readonly processes: number;

  /** Devices that compute. */
  readonly devices: number;
}

/** The least amount of a resource that an engine requests where nothing better is known. */
export function floorOf(name: ResourceName, engine: EngineLoad): number {
  return FLOOR[name](engine);
}

/** The requests of the containers of a pod other than the engine's. */
export interface SidecarRequests {
  /** The sum of the containers that run at the same time as the engine. */
  readonly running: ResourceAmounts;

  /** The most that a step of the start takes, with the sidecars that run by then. */
  readonly startup: ResourceAmounts;
}

/**
 * The requests of the containers of a pod other than the engine's.
 *
 * @param added the containers that fleetwright adds before the engine and before the init containers of the user
 */
export function sidecarRequestsOf(
  { containers: [, ...others], initContainers = [] }: PodTemplate['spec'],
  added: readonly AddedContainer[],
): SidecarRequests {
  const running: Partial<Record<ResourceName, number>> = {};
  const startup: Partial<Record<ResourceName, number>> = {};
  for (const name of RESOURCE_NAMES) {
    let [sum, peak] = [0, 0];
    for (const container of [...added, ...initContainers]) {
      const amount = requestOf(container, name);
      peak = Math.max(peak, sum + amount);
      if (container.restartPolicy === 'Always') sum += amount;
    }
    for (const container of others) sum += requestOf(container, name);
    if (sum > 0) running[name] = sum;
    if (peak > 0) startup[name] = peak;
  }
  return { running, startup };
}

/** The requests of a pod, given those of its engine's container: the larger of start and run, as in Kubernetes. */
export function addSidecarRequests(engine: ResourceAmounts, { running, startup }: SidecarRequests): ResourceAmounts {
  const counted = RESOURCE_NAMES.map((name): [ResourceName, number] => [
    name,
    Math.max((engine[name] ?? 0) + (running[name] ?? 0), startup[name] ?? 0),
  ]);
  return Object.fromEntries(counted.filter(([, amount]) => amount > 0));
}

type Requesting = { readonly resources: Readonly<Record<'requests' | 'limits', ResourceQuantities>> };

/** Like Kubernetes, counts a limit without a request as a request. */
function requestOf({ resources: { requests, limits } }: Requesting, name: ResourceName): number {
  return parseResources({ ...limits, ...requests })[name] ?? 0;
}
