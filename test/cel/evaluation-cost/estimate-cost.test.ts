import { COST_LIMIT } from '../../../src/cel/evaluation-cost/estimate-cost';
import { device, outcome, rejection } from '../build';

const ten = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
const over = 'lists.range(10)';

/** An `all` in an `all`, as deep as the ranges are many. */
function nested(ranges: readonly string[], body = 'true'): string {
  return ranges.reduceRight((inner, range, i) => `${range}.all(x${i}, ${inner})`, body);
}

const accepted: Record<string, string> = {
  'macros that go over what a device publishes, twice': nested(['device.attributes', 'A'], 'x0 != x1'),
  'macros over lists as long as they are written': nested([ten, ten, ten, ten], 'x0 > 0'),
  'the range of a number that is literal text': nested([over, over, over, over]),
  'a long chain of conditions': Array.from({ length: 180 }, (_, i) => `A.index != ${i + 100}`).join(' && '),
};

const rejected: Record<string, string> = {
  'macros over lists, seven deep': nested([ten, ten, ten, ten, ten, ten, ten]),
  'macros over what a device publishes, four deep': nested(['A.links', 'A.links', 'A.links', 'A.links']),
  'text that is doubled again and again': doubled(40, 'a + a'),
  'text that is replaced by more of itself': doubled(12, 'a.replace("x", "xxxxxxxxxx")'),
  'the longer of two lists': nested(['(true ? [1] : lists.range(99999))', ten, ten]),
  'a list that a variable of the same macro holds':
    'cel.bind(l, lists.range(999999), [1, 2].map(x, l.all(y, true), l).size() == 2)',
  'a list that a variable holds': `cel.bind(l, lists.range(999999), l.all(x, l.all(y, true)))`,
};

/** What needs the size of a value that no one knows before it is there. */
const unknown: Record<string, string> = {
  'the range of a number that is not literal text': nested(['lists.range(device.attributes["d"].x)', ten]),
  'a text that is made of a number, in a function that goes over it': 'isQuantity("abc".charAt(1))',
  'two texts of unknown size, one against the other': 'string(A.index + 1).charAt(0) < "a".charAt(0)',
  'the largest of a list of texts': '["a"].max() == "a"',
  'an amount that is not another': 'device.capacity["d"].memory != quantity("1Gi")',
  types: 'type(1) == int',
};

/** Binds `a` to a larger value of itself, over and over. */
function doubled(times: number, larger: string): string {
  const body = (left: number): string => (left === 0 ? 'a != ""' : `cel.bind(a, ${larger}, ${body(left - 1)})`);
  return `cel.bind(a, "xxxxxxxxxx", ${body(times)})`;
}

describe('the bound of the cost of a selector', () => {
  test.each(Object.entries(accepted))('accepts %s', (_, expression) => {
    expect(outcome(expression, device())).toEqual({ kind: 'match' });
  });

  test.each(Object.entries(rejected))('rejects %s', (_, expression) => {
    const { message, hint } = rejection(expression.replaceAll('A.', 'device.attributes["d"].'));
    expect(message).toMatch(
      new RegExp(`^the selector may take [\\de+]+ steps for one device, and the limit is ${COST_LIMIT}$`),
    );
    expect(hint).toMatch(/^Nest fewer macros/);
  });

  test.each(Object.entries(unknown))('rejects %s', (_, expression) => {
    const { message, hint } = rejection(expression.replaceAll('A.', 'device.attributes["d"].'));
    expect(message).toMatch(/^Kubernetes rejects the selector: the size of a value/);
    expect(hint).toMatch(/literal text/);
  });
});
