import type { PodTemplate } from '../../api/pod/pod-template';
import { parseQuantity } from '../../cel/values/quantity';
import type { AddedContainer } from '../../engine/added-containers';

/** CPU and memory as users write them. */
export interface ResourceQuantities {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

/** CPU in thousandths, or memory in bytes. */
export type ResourceName = 'cpu' | 'memory';

/** How each resource is counted: CPU in thousandths, memory in bytes; whole numbers, so that sums are exact. */
const LEDGER_UNITS: Readonly<Record<ResourceName, number>> = { cpu: 1000, memory: 1 };

/** The resources that are stated, in the units of the ledger, rounded up. */
export function parseResources(amounts: ResourceQuantities): Partial<Record<ResourceName, number>> {
  const names = Object.keys(LEDGER_UNITS) as ResourceName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = amounts[name];
      return text === undefined
        ? []
        : [[name, Math.ceil(parseQuantity(text).asApproximateFloat() * LEDGER_UNITS[name])]];
    }),
  );
}

const DECIMAL_SUFFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** An amount of the ledger as a Kubernetes quantity, in the form in which the API server gives it back. */
export function formatResource(name: ResourceName, amount: number): string {
  if (name === 'cpu')
    return amount % LEDGER_UNITS.cpu === 0
      ? formatWithSuffix(amount / LEDGER_UNITS.cpu, 1000, DECIMAL_SUFFIXES)
      : `${amount}m`;
  return amount % 1024 === 0
    ? formatWithSuffix(amount, 1024, BINARY_SUFFIXES)
    : formatWithSuffix(amount, 1000, DECIMAL_SUFFIXES);
}

/** A whole number with the largest suffix that leaves it whole. */
function formatWithSuffix(amount: number, base: number, suffixes: readonly string[]): string {
  const [suffix = '', ...larger] = suffixes;
  const divides = amount > 0 && amount % base === 0 && larger.length > 0;
  return divides ? formatWithSuffix(amount / base, base, larger) : `${amount}${suffix}`;
}

/** CPU and memory, in the units of the ledger. */
export type ResourceAmounts = Readonly<Partial<Record<ResourceName, number>>>;

/** What the containers around an engine's request of a node. */
export interface SidecarRequests {
  /** Of those that run beside the engine, together. */
  readonly running: ResourceAmounts;

  /** The most that a step of the start takes, with the sidecars that run by then. */
  readonly startup: ResourceAmounts;
}

const RESOURCE_NAMES: readonly ResourceName[] = ['cpu', 'memory'];

/**
 * What the containers of a pod around its engine's request.
 *
 * @param own those that we put before the engine, and before those of the user
 */
export function sidecarRequestsOf(
  { containers: [, ...others], initContainers = [] }: PodTemplate['spec'],
  own: readonly AddedContainer[],
): SidecarRequests {
  const beside: Partial<Record<ResourceName, number>> = {};
  const start: Partial<Record<ResourceName, number>> = {};
  for (const name of RESOURCE_NAMES) {
    let [running, peak] = [0, 0];
    for (const container of [...own, ...initContainers]) {
      const amount = requestOf(container, name);
      peak = Math.max(peak, running + amount);
      if (container.restartPolicy === 'Always') running += amount;
    }
    running += others.reduce((sum, container) => sum + requestOf(container, name), 0);
    if (running > 0) beside[name] = running;
    if (peak > 0) start[name] = peak;
  }
  return { running: beside, startup: start };
}

/** What a pod requests, with what its engine's container does. As Kubernetes counts: the larger of start and run. */
export function addSidecarRequests(
  engine: ResourceAmounts,
  { running: beside, startup: start }: SidecarRequests,
): ResourceAmounts {
  const counted = RESOURCE_NAMES.map((name): [ResourceName, number] => [
    name,
    Math.max((engine[name] ?? 0) + (beside[name] ?? 0), start[name] ?? 0),
  ]);
  return Object.fromEntries(counted.filter(([, amount]) => amount > 0));
}

/** As Kubernetes has it: a limit alone is a request too. */
function requestOf(
  {
    resources: { requests, limits },
  }: { readonly resources: { readonly requests: ResourceQuantities; readonly limits: ResourceQuantities } },
  name: ResourceName,
): number {
  return parseResources({ ...limits, ...requests })[name] ?? 0;
}
