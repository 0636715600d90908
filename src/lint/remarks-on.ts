import type { Features } from '../cel/selector';
import { sortedBy } from '../order';
import { boundRule } from './bound-rule';
import { constantRule } from './constant-rule';
import { driverRule, nameRule } from './name-rule';
import type { Remark } from './remark';
import { Subject } from './subject';
import { typeRule } from './type-rule';
import type { Vocabulary } from './vocabulary';

/** Every rule over one selector and the names that a fleet knows. */
const RULES: readonly ((subject: Subject) => Iterable<Remark>)[] = [
  nameRule,
  driverRule,
  typeRule,
  constantRule,
  boundRule,
];

/** What the known hardware tells of a selector that compiles, in the order of its parts. */
export function remarksOn(expression: string, vocabulary: Vocabulary, features: Features = {}): Remark[] {
  const subject = new Subject(expression, vocabulary, features);
  const remarks = RULES.flatMap((rule) => [...rule(subject)]);
  const inOrder = sortedBy(remarks, ({ start }) => String(start).padStart(6, '0'));
  return inOrder.filter((one) => one === worst(inOrder.filter((other) => isSame(one, other))));
}

function isSame(a: Remark, b: Remark): boolean {
  return a.code === b.code && a.what === b.what;
}

/** What is said several times is told once: as an error, if it is one anywhere. */
function worst(same: readonly Remark[]): Remark | undefined {
  return same.find(({ severity }) => severity === 'error') ?? same[0];
}
