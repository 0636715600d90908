import type { Diagnostic, Span } from '../../base/diagnostic';
import { sortedBy } from '../../base/order';
import type { SelectorFeatures } from '../../cel/selector';
import type { KnownAttributes } from './known-attributes';
import { checkAttributeNames, checkDriverNames, suggestClassLine } from './name-rules';
import { SelectorContext } from './selector-context';
import { checkBounds, checkComparedTypes, checkConstants } from './value-rules';

/** Every rule over one selector and the names that a fleet knows. */
const RULES: readonly ((subject: SelectorContext) => Iterable<Diagnostic<Span>>)[] = [
  checkAttributeNames,
  checkDriverNames,
  checkComparedTypes,
  checkConstants,
  checkBounds,
];

/** Checks a selector that compiles against the known hardware. Returns the remarks in the order of its parts. */
export function lintSelector(
  expression: string,
  vocabulary: KnownAttributes,
  features: SelectorFeatures = {},
): Diagnostic<Span>[] {
  const subject = new SelectorContext(expression, vocabulary, features);
  const remarks = RULES.flatMap((rule) => [...rule(subject)]);
  const inOrder = sortedBy(remarks, ({ at }) => String(at.start).padStart(6, '0'));
  return inOrder.filter((one) => one === mostSevereOf(inOrder.filter((other) => isSameRemark(one, other))));
}

function isSameRemark(a: Diagnostic<Span>, b: Diagnostic<Span>): boolean {
  return a.code === b.code && a.message === b.message;
}

/** What is said several times is told once: as an error, if it is one anywhere. */
function mostSevereOf(same: readonly Diagnostic<Span>[]): Diagnostic<Span> | undefined {
  return same.find(({ severity }) => severity === 'error') ?? same[0];
}

/** What to tell of a selector that fails on some devices: which part it is, and the cure. */
export type FailingRead = Pick<Diagnostic<Span>, 'code' | 'at' | 'hint'>;

/**
 * Finds the part of a selector that reads what a device lacks. If the driver publishes it, the class has to state
 * it.
 */
export function findFailingRead(
  expression: string,
  message: string,
  vocabulary: KnownAttributes,
): FailingRead {
  const subject = new SelectorContext(expression, vocabulary);
  const missing = /: (\w+)$/.exec(message)?.[1];
  const read = subject.reads.find(({ name, tested: asked }) => name === missing && !asked);
  if (!read) {
    const hint = 'Guard what some devices leave out: `"name" in device.attributes["domain"] && ...`';
    return { code: 'selector-error', at: { start: 0, end: expression.length }, hint };
  }
  const { from, domain, name } = read;
  const at = subject.span(read.node);
  const known = vocabulary.find(from, domain, name)?.known;
  const silent = vocabulary.findUnstatedDevice(read);
  return known && !known.optional && silent
    ? { code: 'unstated-attribute', at, hint: suggestClassLine(known, silent) }
    : {
        code: 'selector-error',
        at,
        hint: `Guard what some devices leave out: "${name}" in device.${from}["${domain}"] && ...`,
      };
}
