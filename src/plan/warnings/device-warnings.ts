import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, relocate, type Span, warningAt } from '../../base/diagnostic';
import { getOrCompute } from '../../base/memoize';
import { compareText } from '../../base/order';
import { formatsOfCapabilities } from '../../catalog/gpu-architectures';
import { cel } from '../../cel/lazy';
import { parseQuantity } from '../../cel/values/quantity';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { Catalogue } from '../../fleet/hardware/hardware';
import type { DeviceKind, NodeShape, RequestAlternative } from '../../scheduler/compile/shapes';
import type { CompiledDeployment, CompiledFleet, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { RequestMatcher } from '../../scheduler/devices/match-request';
import { demandsOf, type Placement } from '../../scheduler/placement';
import { listPlacedPods } from '../replica-usage';
import { findCheapestMachine } from './catalog-machines';
import { findRequestUses, nodesOf, requestsOf, verdictsOf } from './device-request-uses';

/** A span in a selector of a request. */
interface SelectorPart extends Span {
  /** The selector, from 0. */
  readonly selector: number;
}

type RequestFinding = Diagnostic<SelectorPart>;

/**
 * Finds requests that no device of any pool meets, with the nearest device. Also finds requests that leave out devices
 * because they ask for the nominal memory size, which is more than the driver publishes.
 */
export function findDeviceWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { requests }: PodMatcher,
): Diagnostic<ResourcePath>[] {
  const nodes = nodesOf(model.clusters);
  const known = new Map<RequestAlternative, Map<number, readonly RequestFinding[]>>();
  const findingsOf = (alternative: RequestAlternative, demand: ReplicaDemand): readonly RequestFinding[] => {
    const needed = countWanted(alternative, demand);
    return getOrCompute(known, alternative, needed, () =>
      findRequestFindings(alternative, nodes, { requests, fleet, needed }),
    );
  };
  const uses = findRequestUses(fleet, model, (demand) => {
    // The layout of a model has its classes: what other devices lack does not matter.
    if (demand.engines.some(({ classes }) => classes)) return NO_FINDINGS;
    const found = requestsOf(demand).filter((alternative) => findingsOf(alternative, demand).length > 0);
    return new Map(found.map((alternative) => [alternative, findingsOf(alternative, demand)]));
  });
  return [...uses].flatMap(({ resource, writtenPartOf, finding: findings }) => {
    return findings.map((finding) => {
      const { path, excerpt } = writtenPartOf(finding.at.selector, finding.at);
      return { ...relocate(finding, () => ({ resource, path })), excerpt };
    });
  });
}

const NO_FINDINGS: ReadonlyMap<RequestAlternative, readonly RequestFinding[]> = new Map();

/** The devices that a replica takes with a request. None where the number depends on the nodes. */
function countWanted(alternative: RequestAlternative, { engines }: ReplicaDemand): number {
  if (alternative.all) return 0;
  const members = engines.flatMap((engine) => engine.members);
  const asking = members.filter(({ pod }) => pod.requests.some((one) => one.alternatives.includes(alternative)));
  return asking.reduce((sum, { pods }) => sum + pods * alternative.count, 0);
}

/** What findings depend on. */
interface FindingContext {
  readonly requests: RequestMatcher;
  readonly fleet: Fleet;

  /** The devices that a replica takes with the request. */
  readonly needed: number;
}

/** A device that a request does not match, and the first selector that rejects it, counted from 0. */
interface DeviceMismatch {
  readonly kind: DeviceKind;
  readonly selector: number;
}

function findRequestFindings(
  alternative: RequestAlternative,
  nodes: readonly NodeShape[],
  { requests, fleet, needed }: FindingContext,
): RequestFinding[] {
  const answers = verdictsOf(alternative, nodes, requests);
  const misses = answers.flatMap(({ verdict, kind }): DeviceMismatch[] =>
    verdict.kind === 'no-match' ? [{ kind, selector: verdict.selector }] : [],
  );
  const distinct = [...new Map(misses.map((miss) => [miss.kind.prepared, miss])).values()];
  return answers.some(({ verdict }) => verdict.kind === 'match')
    ? distinct.flatMap((miss) => explainNominalMemory(alternative, miss, fleet)).slice(0, 1)
    : explainNearestDevice(alternative, distinct, { fleet, needed });
}

/** Explains a device that misses only a memory bound, and only because it publishes less than its nominal size. */
function explainNominalMemory(
  { selectors }: RequestAlternative,
  { kind, selector }: DeviceMismatch,
  fleet: Fleet,
): RequestFinding[] {
  const compiled = selectors[selector];
  const found = findNominalMemory(kind, compiled?.expression ?? '', fleet.hardware.catalogue);
  const relaxed = found && compiled && cel().relaxSelector(compiled, kind.prepared);
  const others = selectors.every((one, s) => s === selector || one.match(kind.prepared).kind === 'match');
  const mismatch = relaxed && others ? cel().explainMismatch(compiled, kind.prepared) : undefined;
  if (!found || !mismatch) return [];
  const what = `${found.product} does not match: ${mismatch.sentence}`;
  const hint = `It publishes less than its nominal memory. Require ${found.ask}`;
  return [warningAt('marketing-size', partOf(selector, mismatch), what, hint)];
}

/** Farther than any bound that another value would meet. */
const FARTHEST = 2;

function explainNearestDevice(
  alternative: RequestAlternative,
  misses: readonly DeviceMismatch[],
  { fleet, needed }: Pick<FindingContext, 'fleet' | 'needed'>,
): RequestFinding[] {
  const explained = misses.flatMap(({ kind, selector }) => {
    const compiled = alternative.selectors[selector];
    const mismatch = compiled && cel().explainMismatch(compiled, kind.prepared);
    if (!compiled || !mismatch) return [];
    return [{ kind, selector, mismatch, compiled, relaxed: cel().relaxSelector(compiled, kind.prepared) }];
  });
  const [best] = explained.sort(
    (a, b) =>
      Number(a.kind.claimedAs === undefined) - Number(b.kind.claimedAs === undefined) ||
      b.selector - a.selector ||
      b.mismatch.passed - a.mismatch.passed ||
      (a.relaxed?.gap ?? FARTHEST) - (b.relaxed?.gap ?? FARTHEST) ||
      compareText(a.kind.name, b.kind.name),
  );
  if (!best) return [];
  const { kind, selector, compiled, mismatch, relaxed } = best;
  const found = findNominalMemory(kind, compiled.expression, fleet.hardware.catalogue);
  const bound = relaxed && nameBound(relaxed);
  const machine = found ? undefined : findCheapestMachine(alternative, needed, fleet);
  const such = machine === undefined ? '' : `, such as ${machine}`;
  const hint = found
    ? `${found.product} publishes ${found.memory}. Require ${found.ask}`
    : bound === undefined
      ? `Require a value that exists, or declare a pool of a class that has it${such}`
      : `Declare a pool of a class that has more${such}, or require ${bound} if that is enough`;
  const what = `no device of any pool matches. Of the nearest device, ${productOf(kind) ?? `'${kind.name}'`}, ${mismatch.sentence}`;
  return [warningAt('no-device', partOf(selector, mismatch), what, hint)];
}

/** `79Gi`, or `8.9.0 (supports: FP8)`: what a request can ask for. */
function nameBound({ from, to }: { readonly from: string; readonly to: string }): string {
  const formats = formatsOfCapabilities(to, from);
  return formats ? `${to} (supports: ${formats.has})` : formatMemory(to);
}

function partOf(selector: number, { start, end }: Span): SelectorPart {
  return { selector, start, end };
}

/** Rounds an amount down to whole Gi: `81559Mi` becomes `79Gi`. An amount below 1 Gi stays as it is. */
function formatMemory(amount: string): string {
  const whole = Math.floor(parseBytes(amount) / GI);
  return whole > 0 ? `${whole}Gi` : amount;
}

/** A GPU whose nominal memory size a selector asks for. */
interface NominalMemory {
  readonly product: string;

  /** The memory that the driver publishes. */
  readonly memory: string;

  /** The published memory, rounded down to whole Gi. */
  readonly ask: string;
}

const GI = 2 ** 30;

const QUANTITY_LITERAL = /\bquantity\(\s*(?:"([^"]*)"|'([^']*)')\s*\)/g;

/** Finds the catalog entry of a device if a selector asks for more than it publishes, up to its nominal size. */
function findNominalMemory(kind: DeviceKind, expression: string, { gpus }: Catalogue): NominalMemory | undefined {
  const product = productOf(kind);
  const row = [...gpus.values()].find(
    ({ productName, memory }) =>
      parseBytes(memory ?? '') === kind.memory && (product === undefined || product === productName),
  );
  if (!row?.nominal || row.memory === undefined || row.productName === undefined) return undefined;
  const nominal = parseBytes(row.nominal);
  const amounts = [...expression.matchAll(QUANTITY_LITERAL)].map(([, double, single]) =>
    parseBytes(double ?? single ?? ''),
  );
  if (!amounts.some((amount) => amount > kind.memory && amount <= nominal)) return undefined;
  return { product: row.productName, memory: row.memory, ask: formatMemory(row.memory) };
}

function productOf({ attributes }: DeviceKind): string | undefined {
  const name = Object.entries(attributes).find(([key]) => key.endsWith('/productName'))?.[1];
  return name?.startsWith('string ') ? name.slice('string '.length) : undefined;
}

function parseBytes(amount: string): number {
  try {
    return parseQuantity(amount).asApproximateFloat();
  } catch {
    return Number.NaN;
  }
}

/** Finds constraints that the plan assumes to be met, because a class does not state the attribute. */
export function findConstraintWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const deployments = model.deployments.filter(isConstrained);
  if (deployments.length === 0) return [];
  const declared = indexDeploymentsById(fleet.deployments);
  const warnings = new Map<string, Diagnostic<ResourcePath>>();
  for (const { placement, pool, fit } of listPlacedPods({ ...model, deployments }, placements, matcher)) {
    const resource = declared.get(placement.deployment);
    if (!resource) continue;
    for (const attribute of fit.unjudged) {
      const key = `${placement.deployment} ${attribute}`;
      if (warnings.has(key)) continue;
      const at = { resource, path: ['spec', 'template', 'spec', 'engines'] };
      const why = `the class of ${placement.cluster} / ${pool.name} does not declare it`;
      const what = `the constraint on ${attribute} cannot be checked: ${why}`;
      warnings.set(key, warningAt('unchecked-constraint', at, what, UNJUDGED_HINT));
    }
  }
  return [...warnings.values()];
}

const UNJUDGED_HINT = 'Declare the devices of the class with that attribute, one entry for each value';

/** Whether any engine of a deployment, in its declared or an earlier revision, has constraints. */
function isConstrained(deployment: CompiledDeployment): boolean {
  return demandsOf(deployment).some(({ engines }) =>
    engines.some(({ members }) => members.some(({ pod }) => pod.constraints.length > 0)),
  );
}
