import { type Diagnostic, type Span, warningAt } from '../../base/diagnostic';
import { containsWords, suggestName } from '../../base/name-suggestion';
import { relationOf } from '../../cel/attribute-comparison';
import { type AstNode, attributeAccessOf, stringLiteralOf } from '../../cel/syntax-tree';
import type { SelectorContext } from './selector-context';

/**
 * Checks comparisons of an attribute with a text that no known device publishes, if it is similar to one that a known
 * device does: `Hoper`, or `H100` for a full product name.
 */
export function* checkKnownValues(subject: SelectorContext): Generator<Diagnostic<Span>> {
  for (const { node } of subject.parts) {
    for (const { name, domain, value } of comparedTextsOf(node)) {
      if (subject.vocabulary.hasValue(domain, name, value)) continue;
      const near = suggestValues(value, subject.vocabulary.values(domain, name));
      const meant = near.length > 0 ? near : subject.vocabulary.valuesOfDevices(domain, name, value);
      const hint =
        meant.length > 0 ? `Did you mean ${quoteAll(meant)}?` : hintAtDriver(subject, { domain, name, value });
      if (hint === undefined) continue;
      yield warningAt('unlisted-value', subject.span(node), `no known device has the ${name} '${value}'`, hint);
    }
  }
}

function quoteAll(values: readonly string[]): string {
  return values.map((one) => `'${one}'`).join(' or ');
}

/** The drivers of which devices have the value, where those of the driver that is read do not. */
function hintAtDriver({ vocabulary }: SelectorContext, { domain, name, value }: ComparedText): string | undefined {
  if (!vocabulary.domains.includes(domain)) return undefined;
  const others = vocabulary.drivers.filter((driver) => driver !== domain);
  const found = others.map((driver) => ({ driver, values: suggestValues(value, vocabulary.values(driver, name)) }));
  const first = found.find(({ values }) => values.length > 0);
  return first && `Devices of the driver ${first.driver} have ${quoteAll(first.values)}: select that driver`;
}

interface ComparedText {
  readonly domain: string;
  readonly name: string;
  readonly value: string;
}

/** The texts that a part compares an attribute with: `x == "a"`, `x != "a"`, `x in ["a", "b"]`. */
function comparedTextsOf(node: AstNode): ComparedText[] {
  const [item, list] = node.op === 'in' ? node.args : [];
  if (item && list?.op === 'list') return list.args.flatMap((other) => comparedTextOf(item, other));
  const relation = node.op === '==' || node.op === '!=' ? relationOf(node, true) : undefined;
  return relation ? comparedTextOf(relation.subject, relation.other) : [];
}

function comparedTextOf(read: AstNode, other: AstNode): ComparedText[] {
  const access = attributeAccessOf(read);
  const domain = stringLiteralOf(access?.domain);
  const value = stringLiteralOf(other);
  if (access?.from !== 'attributes' || domain === undefined || value === undefined) return [];
  return [{ domain, name: access.name, value }];
}

/** The most values that a hint lists. */
const MOST_SUGGESTED = 6;

/** The known values that contain the given one as a whole word, or that it contains, else the most similar one. */
function suggestValues(value: string, known: readonly string[]): string[] {
  const containing = known.filter((one) => containsWords(one, value));
  const contained = known.filter((one) => containsWords(value, one));
  const best = containing.length > 0 ? containing : contained;
  if (best.length > 0) return best.slice(0, MOST_SUGGESTED);
  const near = suggestName(value, known);
  return near === undefined || isOtherHardware(value, near) ? [] : [near];
}

/** Models with numbers that differ in digits alone, or by a suffix such as that of an L40S, are different hardware. */
function isOtherHardware(value: string, near: string): boolean {
  return /\d/.test(near) && (withoutDigits(near) === withoutDigits(value) || near.startsWith(value));
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d+/g, '');
}
