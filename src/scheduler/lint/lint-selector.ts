import type { Diagnostic, Span } from '../../base/diagnostic';
import { sortedBy } from '../../base/order';
import type { SelectorFeatures } from '../../cel/selector';
import type { KnownAttributes } from './known-attributes';
import { checkAttributeNames, checkDriverNames, suggestClassLine } from './name-rules';
import { SelectorContext } from './selector-context';
import { checkAmounts, checkBounds, checkComparedTypes, checkConstants } from './value-rules';
import { checkKnownValues } from './value-suggestions';

/** Every rule that checks one selector against the names that a fleet knows. */
const RULES: readonly ((subject: SelectorContext) => Iterable<Diagnostic<Span>>)[] = [
  checkAttributeNames,
  checkDriverNames,
  checkComparedTypes,
  checkAmounts,
  checkConstants,
  checkBounds,
  checkKnownValues,
];

/** Checks a selector that compiles against the known hardware. Returns the diagnostics in the order of its parts. */
export function lintSelector(
  expression: string,
  vocabulary: KnownAttributes,
  features: SelectorFeatures = {},
): Diagnostic<Span>[] {
  const subject = new SelectorContext(expression, vocabulary, features);
  const remarks = RULES.flatMap((rule) => [...rule(subject)]);
  const inOrder = sortedBy(remarks, ({ at }) => String(at.start).padStart(6, '0'));
  return inOrder.filter((remark) => {
    // Diagnostics with equal text are reported once: as an error if one of them is an error.
    const same = inOrder.filter(({ code, message }) => code === remark.code && message === remark.message);
    return remark === (same.find(({ severity }) => severity === 'error') ?? same[0]);
  });
}

/** The diagnostic of a selector that fails on some devices: the part that fails, and the remedy. */
export type FailingRead = Pick<Diagnostic<Span>, 'code' | 'at' | 'hint'>;

/**
 * Finds the part of a selector that reads what a device lacks. If the driver publishes it, the class has to state
 * it.
 */
export function findFailingRead(expression: string, message: string, vocabulary: KnownAttributes): FailingRead {
  const subject = new SelectorContext(expression, vocabulary);
  const missing = /: (\w+)$/.exec(message)?.[1];
  const read = subject.reads.find(({ name, tested }) => name === missing && !tested);
  if (!read) {
    const hint = 'Check that optional attributes exist: `"name" in device.attributes["domain"] && ...`';
    return { code: 'selector-error', at: { start: 0, end: expression.length }, hint };
  }
  const { from, domain, name } = read;
  const at = subject.span(read.node);
  const known = vocabulary.find(from, domain, name)?.known;
  const unstated = vocabulary.findUnstatedDevice(from, domain, name);
  if (known && !known.optional && unstated) {
    return { code: 'unstated-attribute', at, hint: suggestClassLine(known, unstated) };
  }
  const hint = `Check that optional attributes exist: "${name}" in device.${from}["${domain}"] && ...`;
  return { code: 'selector-error', at, hint };
}
