import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, relocate, type Span, warningAt } from '../../base/diagnostic';
import { excerptOf } from '../../base/excerpt';
import { cel } from '../../cel/lazy';
import { parseQuantity, type Quantity } from '../../cel/values/quantity';
import type { Fleet } from '../../fleet/fleet';
import type { Catalogue } from '../../fleet/hardware/hardware';
import type { DeviceKind, NodeShape, RequestAlternative } from '../../scheduler/compile/shapes';
import type { CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { RequestMatcher } from '../../scheduler/devices/match-request';
import { findRequestUses, requestsOf } from './device-request-uses';

/** A part of a selector of a form. */
interface SelectorPart extends Span {
  /** The selector, from 0. */
  readonly selector: number;
}

type RequestFinding = Diagnostic<SelectorPart>;

/**
 * Requests that no device of any pool meets, with the nearest; and requests that leave devices out because they ask for
 * the memory that the box says, which is more than the driver publishes.
 */
export function findDeviceWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { requests }: PodMatcher,
): Diagnostic<ResourcePath>[] {
  const nodes = [...new Set(model.clusters.flatMap(({ pools }) => pools.map(({ node }) => node)))];
  const known = new Map<RequestAlternative, readonly RequestFinding[]>();
  const remarksOf = (form: RequestAlternative): readonly RequestFinding[] => {
    const remarks = known.get(form) ?? findRequestFindings(form, nodes, { requests, fleet });
    known.set(form, remarks);
    return remarks;
  };
  const uses = findRequestUses(fleet, model, (demand) => {
    const forms = requestsOf(demand).filter((form) => remarksOf(form).length > 0);
    return new Map(forms.map((form) => [form, remarksOf(form)]));
  });
  return [...uses].flatMap(({ resource, form, pathOf, said: remarks }) => {
    return remarks.map((remark) => {
      const { selector, start, end } = remark.at;
      const excerpt = excerptOf(form.selectors[selector]?.expression ?? '', start, end);
      return { ...relocate(remark, () => ({ resource, path: pathOf(selector) })), excerpt };
    });
  });
}

interface MatchContext {
  readonly requests: RequestMatcher;
  readonly fleet: Fleet;
}

/** A device that a form does not match, and the first selector (from 0) that it misses. */
interface DeviceMismatch {
  readonly kind: DeviceKind;
  readonly selector: number;
}

function findRequestFindings(
  form: RequestAlternative,
  nodes: readonly NodeShape[],
  { requests, fleet }: MatchContext,
): RequestFinding[] {
  const answers = nodes.flatMap((node) =>
    requests.verdicts(form, node).map((verdict, k) => ({ verdict, kind: node.kinds[k] })),
  );
  const misses = answers.flatMap(({ verdict, kind }): DeviceMismatch[] =>
    verdict.kind === 'no-match' && kind ? [{ kind, selector: verdict.selector }] : [],
  );
  const distinct = [...new Map(misses.map((miss) => [miss.kind.prepared, miss])).values()];
  return answers.some(({ verdict }) => verdict.kind === 'match')
    ? distinct.flatMap((miss) => explainNominalMemory(form, miss, fleet)).slice(0, 1)
    : explainNearestDevice(form, distinct, fleet);
}

/** A device that only a bound on its memory leaves out, which it would meet were the box right. */
function explainNominalMemory(
  { selectors }: RequestAlternative,
  { kind, selector }: DeviceMismatch,
  fleet: Fleet,
): RequestFinding[] {
  const expression = selectors[selector]?.expression ?? '';
  const found = findNominalMemory(kind, expression, fleet.hardware.catalogue);
  const compiled = selectors[selector];
  const relaxed = found && compiled && cel().relaxSelector(compiled, kind.prepared);
  const others = selectors.every((one, s) => s === selector || one.match(kind.prepared).kind === 'match');
  const mismatch = relaxed && others ? cel().explainMismatch(compiled, kind.prepared) : undefined;
  if (!found || !mismatch) return [];
  return [
    warningAt(
      'marketing-size',
      partOf(selector, mismatch),
      `${found.product} is left out: ${mismatch.sentence}`,
      `It publishes less than the box says; ask for ${found.ask}`,
    ),
  ];
}

function explainNearestDevice(
  form: RequestAlternative,
  misses: readonly DeviceMismatch[],
  fleet: Fleet,
): RequestFinding[] {
  const explained = misses.flatMap(({ kind, selector }) => {
    const compiled = form.selectors[selector];
    const mismatch = compiled && cel().explainMismatch(compiled, kind.prepared);
    return compiled && mismatch ? [{ kind, selector, compiled, mismatch }] : [];
  });
  const [best] = explained.sort(
    (a, b) =>
      Number(a.kind.claimedAs === undefined) - Number(b.kind.claimedAs === undefined) ||
      b.selector - a.selector ||
      b.mismatch.passed - a.mismatch.passed,
  );
  if (!best) return [];
  const { kind, selector, compiled, mismatch } = best;
  const found = findNominalMemory(kind, compiled.expression, fleet.hardware.catalogue);
  const bound = cel().relaxSelector(compiled, kind.prepared)?.to;
  const hint = found
    ? `${found.product} publishes ${found.memory}: ask for ${found.ask}`
    : bound === undefined
      ? 'Ask for what there is, or declare a class that has it'
      : `Ask for ${formatBound(bound)}, or declare a class that has more`;
  const what = `no device of any pool is like this; of the nearest, ${productOf(kind) ?? `'${kind.name}'`}, ${mismatch.sentence}`;
  return [warningAt('no-device', partOf(selector, mismatch), what, hint)];
}

function partOf(selector: number, { start, end }: Span): SelectorPart {
  return { selector, start, end };
}

/** A bound that a device meets, in whole Gi where it is that large. */
function formatBound(bound: string): string {
  try {
    return roundToWholeGi(parseQuantity(bound)) ?? bound;
  } catch {
    return bound;
  }
}

/** A GPU of which a selector asks for the memory that the box says. */
export interface NominalMemory {
  readonly product: string;

  /** What the driver publishes. */
  readonly memory: string;

  /** The most whole Gi that it publishes. */
  readonly ask: string;
}

/** The amounts that a selector writes down. */
const QUANTITY_LITERAL = /\bquantity\(\s*(?:"([^"]*)"|'([^']*)')\s*\)/g;

const GI = 2 ** 30;

/**
 * The GPU of the catalogue that a device is, where a selector asks for more memory than it publishes and no more than the box
 * says. A device that does not state its product is known by its memory.
 */
export function findNominalMemory(
  kind: DeviceKind,
  expression: string,
  { gpus }: Catalogue,
): NominalMemory | undefined {
  const product = productOf(kind);
  const row = [...gpus.values()].find(
    ({ productName, memory }) =>
      parseBytes(memory) === kind.memory && (product === undefined || product === productName),
  );
  if (!row?.nominal) return undefined;
  const most = parseBytes(row.nominal);
  const asked = [...expression.matchAll(QUANTITY_LITERAL)].map(([, double, single]) =>
    parseBytes(double ?? single ?? ''),
  );
  if (!asked.some((amount) => amount > kind.memory && amount <= most)) return undefined;
  const ask = roundToWholeGi(parseQuantity(row.memory)) ?? row.memory;
  return { product: row.productName, memory: row.memory, ask };
}

/** The product name that a device publishes. */
export function productOf({ attributes }: DeviceKind): string | undefined {
  const name = Object.entries(attributes).find(([key]) => key.endsWith('/productName'))?.[1];
  return name?.startsWith('string ') ? name.slice('string '.length) : undefined;
}

/** An amount rounded down to whole Gi: `81559Mi` is `79Gi`. Nothing below one. */
export function roundToWholeGi(quantity: Quantity): string | undefined {
  const whole = Math.floor(quantity.asApproximateFloat() / GI);
  return whole > 0 ? `${whole}Gi` : undefined;
}

function parseBytes(amount: string): number {
  try {
    return parseQuantity(amount).asApproximateFloat();
  } catch {
    return Number.NaN;
  }
}
