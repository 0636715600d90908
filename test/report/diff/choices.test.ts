import type { FleetDiff } from '../../../src/diff/fleet-diff';
import {
  type Choice,
  formatAdvice,
  formatChoiceLines,
  introduceChoices,
  noteSaved,
  savingsOf,
  sortChoices,
  toAdvice,
} from '../../../src/report/diff/choices';

const choice = (text: string, more: Partial<Choice> = {}): Choice => ({ text, ...more });

test.each<[string, Choice[], string[]]>([
  ['the cheapest comes first', [choice('b', { cost: 2 }), choice('a', { cost: 1 })], ['a', 'b']],
  ['one without a known price comes last', [choice('b'), choice('a', { cost: 1 })], ['a', 'b']],
  [
    'of equal prices, what belongs into the change comes before a change of its own',
    [choice('b', { cost: 0, isEarlier: true }), choice('a', { cost: 0 })],
    ['a', 'b'],
  ],
  [
    'of equal prices, what stops replicas comes last',
    [choice('b', { cost: 0, isDown: true }), choice('a', { cost: 0, isEarlier: true })],
    ['a', 'b'],
  ],
])('%s', (_, choices, want) => {
  expect(sortChoices(choices).map(({ text }) => text)).toEqual(want);
});

test.each<[string, Choice[], string | undefined, string]>([
  [
    'prices that rise are said to',
    [choice('a', { cost: 0 }), choice('b', { cost: 1 })],
    undefined,
    'Do one of these, cheapest first:',
  ],
  ['an unknown price is not', [choice('a', { cost: 0 }), choice('b')], undefined, 'Do one of these:'],
  ['the same price is not', [choice('a', { cost: 0 }), choice('b', { cost: 0 })], undefined, 'Do one of these:'],
  ['prices that fall are not', [choice('a', { cost: 1 }), choice('b', { cost: 0 })], undefined, 'Do one of these:'],
  [
    'what they solve is named',
    [choice('a'), choice('b')],
    'this problem alone',
    'For this problem alone, do one of these:',
  ],
])('of choices, %s', (_, choices, scope, want) => {
  expect(introduceChoices(choices, scope)).toBe(want);
});

test('a single choice needs no list', () => {
  expect(toAdvice([choice('add a node')], 'It costs little')).toEqual({ hint: 'Add a node. It costs little' });
});

test('on one line, what else to know of a choice is next to it', () => {
  const [first, second] = [
    choice('add a node', { more: ['It serves later'] }),
    choice('set it', { more: ['Then, it fits'] }),
  ];
  expect(formatAdvice({ choices: [first, second], hint: 'Why' })).toBe(
    'Add a node (it serves later); or set it. Then, it fits. Why',
  );
  expect(formatChoiceLines(first)).toEqual(['- Add a node. It serves later.']);
});

test('in a list, effects and steps of a choice are lines below it', () => {
  const listed = {
    text: 'move 2 replicas ($0)',
    effects: ['all are then on eu', 'ml/q then keeps none'],
    steps: ['Run x'],
  };
  expect(
    formatChoiceLines(choice('move 2 replicas ($0; all are then on eu): x', { listed, more: ['It uses y'] })),
  ).toEqual([
    '- Move 2 replicas ($0). It uses y.',
    '  - All are then on eu.',
    '  - ml/q then keeps none.',
    '  1. Run x.',
  ]);
});

const cost = (least: number, most: number, unknown = 0) =>
  ({
    cost: { delta: { least: { perMonth: least, unknown }, most: { perMonth: most, unknown } } },
  }) as unknown as FleetDiff;

test.each<[string, FleetDiff, number | undefined]>([
  ['a lower cost is saved', cost(-10, -10), 10],
  ['a higher cost saves nothing', cost(10, 10), undefined],
  ['what an autoscaler decides is not known', cost(-10, -5), undefined],
  ['nor is what has no price', cost(-10, -10, 1), undefined],
])('%s', (_, diff, want) => {
  expect(savingsOf(diff)).toBe(want);
});

test.each<[string, number | undefined, string[] | undefined]>([
  ['as much as the change saves says so', 10.2, ['This costs as much as the change saves']],
  ['another amount does not', 11, undefined],
  ['an unknown amount does not', undefined, undefined],
])('a choice that costs %s', (_, price, want) => {
  expect(noteSaved(choice('add a node', { cost: price }), 10).more).toEqual(want);
});

test('a question has no full stop behind it, whatever follows', () => {
  const asked = choice("did you mean 'b'?", { more: ['It is free'] });
  expect(formatAdvice(toAdvice([asked], 'See below'))).toBe("Did you mean 'b'? It is free. See below");
  expect(formatAdvice({ hint: "Did you mean 'b'?" })).toBe("Did you mean 'b'?");
});
