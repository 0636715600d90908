import type { Fault } from '../api/checks/fault';
import { cel } from '../cel/cel';
import { parseQuantity } from '../cel/quantity';
import { excerptOf } from '../excerpt';
import type { Fleet } from '../fleet';
import type { Matcher } from '../scheduler/matcher';
import type { Model } from '../scheduler/model';
import type { RequestMatcher } from '../scheduler/request-matcher';
import type { Alternative, DeviceKind, NodeShape } from '../scheduler/shapes';
import { formsOf, saidUses } from './form-uses';
import { marketed, productOf, wholeGi } from './marketed';

/** What is to tell of a form: of which selector (from 0), and which part of it. */
interface Remark extends Pick<Fault, 'code' | 'what' | 'hint'> {
  readonly selector: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Requests that no device of any pool meets, with the nearest; and requests that leave devices out because they ask for
 * the memory that the box says, which is more than the driver publishes.
 */
export function deviceWarnings(fleet: Fleet, model: Model, { requests }: Matcher): Fault[] {
  const nodes = [...new Set(model.sites.flatMap(({ pools }) => pools.map(({ node }) => node)))];
  const known = new Map<Alternative, readonly Remark[]>();
  const remarksOf = (form: Alternative): readonly Remark[] => {
    const remarks = known.get(form) ?? remarksOn(form, nodes, { requests, fleet });
    known.set(form, remarks);
    return remarks;
  };
  const uses = saidUses(fleet, model, (demand) => {
    const forms = formsOf(demand).filter((form) => remarksOf(form).length > 0);
    return new Map(forms.map((form) => [form, remarksOf(form)]));
  });
  return [...uses].flatMap(({ resource, form, pathOf, said: remarks }) => {
    return remarks.map(({ selector, start, end, ...said }): Fault => {
      const excerpt = excerptOf(form.selectors[selector]?.expression ?? '', start, end);
      return { ...said, resource, path: pathOf(selector), excerpt };
    });
  });
}

interface Context {
  readonly requests: RequestMatcher;
  readonly fleet: Fleet;
}

/** A device that a form does not match, and the first selector (from 0) that it misses. */
interface Miss {
  readonly kind: DeviceKind;
  readonly selector: number;
}

function remarksOn(form: Alternative, nodes: readonly NodeShape[], { requests, fleet }: Context): Remark[] {
  const answers = nodes.flatMap((node) =>
    requests.verdicts(form, node).map((verdict, k) => ({ verdict, kind: node.kinds[k] })),
  );
  const misses = answers.flatMap(({ verdict, kind }): Miss[] =>
    verdict.kind === 'no-match' && kind ? [{ kind, selector: verdict.selector }] : [],
  );
  const distinct = [...new Map(misses.map((miss) => [miss.kind.prepared, miss])).values()];
  return answers.some(({ verdict }) => verdict.kind === 'match')
    ? distinct.flatMap((miss) => leftOut(form, miss, fleet)).slice(0, 1)
    : nearest(form, distinct, fleet);
}

/** A device that only a bound on its memory leaves out, which it would meet were the box right. */
function leftOut({ selectors }: Alternative, { kind, selector }: Miss, fleet: Fleet): Remark[] {
  const expression = selectors[selector]?.expression ?? '';
  const found = marketed(kind, expression, fleet.hardware.catalogue);
  const compiled = selectors[selector];
  const relaxed = found && compiled && cel().relax(compiled, kind.prepared);
  const others = selectors.every((one, s) => s === selector || one.match(kind.prepared).kind === 'match');
  const mismatch = relaxed && others ? cel().explainMismatch(compiled, kind.prepared) : undefined;
  if (!found || !mismatch) return [];
  return [
    {
      code: 'marketing-size',
      selector,
      start: mismatch.start,
      end: mismatch.end,
      what: `${found.product} is left out: ${mismatch.sentence}`,
      hint: `It publishes less than the box says; ask for ${found.ask}`,
    },
  ];
}

function nearest(form: Alternative, misses: readonly Miss[], fleet: Fleet): Remark[] {
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
  const found = marketed(kind, compiled.expression, fleet.hardware.catalogue);
  const bound = cel().relax(compiled, kind.prepared)?.to;
  const hint = found
    ? `${found.product} publishes ${found.memory}: ask for ${found.ask}`
    : bound === undefined
      ? 'Ask for what there is, or declare a class that has it'
      : `Ask for ${askFor(bound)}, or declare a class that has more`;
  const what = `no device of any pool is like this; of the nearest, ${productOf(kind) ?? `'${kind.name}'`}, ${mismatch.sentence}`;
  return [{ code: 'no-device', selector, start: mismatch.start, end: mismatch.end, what, hint }];
}

/** A bound that a device meets, in whole Gi where it is that large. */
function askFor(bound: string): string {
  try {
    return wholeGi(parseQuantity(bound)) ?? bound;
  } catch {
    return bound;
  }
}
