import { warningAt } from '../../../src/base/diagnostic';
import {
  formatList,
  groupWarnings,
  omitSaidMismatches,
  splitWarningLines,
} from '../../../src/report/pull-request/warning-lines';

const lines = (...texts: string[]): string[] =>
  groupWarnings(texts.map((text, i) => warningAt('warned', `a.yaml:${i}:1`, text, 'Meet it')));

test('warnings that share a line name the deployments and services that they are about, each once', () => {
  const texts = ['ml/b: x', '0 replicas of ml/b serve', 'memory of ml/d is not checked', 'ModelService ml/d: x'];
  expect(lines('ml/a: x', ...texts)).toEqual(['a.yaml:0:1: ml/a: x. Meet it. 4 more of this kind: ml/b, ml/d.']);
});

test('what a warning has in parentheses is not what it is about', () => {
  const full = ['eu', 'us', 'dc'].map((cluster) => `${cluster} is full (before: 1 more of ml/c)`);
  expect(lines(...full)[0]).toMatch(/ 2 more of this kind\.$/);
});

test('two warnings of a kind are two lines', () => {
  expect(lines('ml/a: x', 'ml/b: x')).toHaveLength(2);
});

const found = (...texts: [at: string, text: string][]): string[] =>
  groupWarnings(
    texts.map(([at, text], i) => warningAt(i === 0 ? 'warned' : 'room-lost', at, text, `Do ${i}`)),
    (at) => (at.startsWith('edit') ? [Number(at.slice(-1))] : []),
  );

const share = (start: string): [string, string] => {
  return ['edit2', `${start}ml/a gets 100 % of the requests with 1 replica instead of 2: each gets 2 times as many`];
};

describe('warnings of edits', () => {
  test('name the edit in place of a position', () => {
    expect(found(['edit2', 'the engines do not start'])).toEqual(['The engines do not start (edit 2). Do 0.']);
    expect(found(['edit2', 'if us fails, none is left'])).toEqual(['If us fails, none is left (edit 2). Do 0.']);
  });

  test('come first with others of the same edit that are about the same', () => {
    const warnings = [
      warningAt('lost-redundancy', 'edit2', 'ml/a has replicas on us only', 'Keep two'),
      warningAt('fewer-replicas', 'edit2', 'ml/a gets more', 'Add replicas'),
      warningAt('unchecked-memory', 'edit1', 'ml/b is not checked', 'Check it'),
    ];
    const { first, others } = splitWarningLines(warnings, new Set(['fewer-replicas']), (at) => [Number(at.slice(-1))]);
    expect(first).toEqual(['ml/a has replicas on us only (edit 2). Keep two. ml/a gets more. Add replicas.']);
    expect(others).toEqual(['ml/b is not checked (edit 1). Check it.']);
  });

  test('name all edits that cause it', () => {
    const warning = { ...warningAt('fewer-replicas', 'edit1', 'ml/a gets more', 'Add replicas'), alsoAt: ['edit2'] };
    expect(groupWarnings([warning], (at) => [Number(at.slice(-1))])).toEqual([
      'ml/a gets more (edits 1 and 2). Add replicas.',
    ]);
  });

  test('say once how many replicas there are instead of how many', () => {
    const alone: [string, string] = [
      'edit2',
      'ml/a has 1 replica instead of 2: it does not serve while its pods restart',
    ];
    const said = 'ml/a has 1 replica instead of 2: it does not serve while its pods restart (edit 2).';
    const more = 'Each gets 2 times as many requests.';
    expect(found(alone, share(''))).toEqual([`${said} Do 0. ${more} Do 1.`]);
    expect(found(share('ml/chat: '), alone)).toEqual([`${said} Do 1. ${more} Do 0.`]);
  });

  test('with steps to follow have a line of their own', () => {
    const warnings = [
      warningAt('share-down', 'edit2', 'ml/a: requests lose their replicas', 'Check their load'),
      warningAt(
        'fewer-nodes',
        'edit2',
        'us/h100 loses a node: replicas of ml/a may restart',
        '1. Drain it; 2. delete it',
      ),
    ];
    expect(groupWarnings(warnings, () => [2])).toHaveLength(2);
    expect(groupWarnings(warnings.toReversed(), () => [2])).toHaveLength(2);
  });

  test('keep a position at which there is no edit', () => {
    expect(found(['a.yaml:1:1', 'the engines do not start'])).toEqual(['a.yaml:1:1: the engines do not start. Do 0.']);
  });

  test('that name the same service share a line where they are of the same edit', () => {
    expect(found(['edit2', 'ml/a is slow'], ['edit2', 'ml/a: ml/b is late'])).toEqual([
      'ml/a is slow (edit 2). Do 0. ml/b is late. Do 1.',
    ]);
    expect(found(['edit2', 'ml/a is slow'], ['edit1', 'ml/a: ml/b is late'])).toHaveLength(2);
    expect(found(['edit2', 'ml/a is slow'], ['edit2', 'ml/c is late'])).toHaveLength(2);
  });

  test('that say the same are one line with all edits', () => {
    const same = ['edit4', 'edit2'].map((at) => warningAt('gated-model', at, 'no engine starts', 'Add a token'));
    expect(groupWarnings(same, (at) => [Number(at.slice(-1))])).toEqual([
      'No engine starts (edits 2 and 4). Add a token.',
    ]);
  });
});

describe('a device that does not match', () => {
  const why = 'memory 23034Mi is less than 24Gi';
  const warnings = [
    `no device of any pool matches. Of the nearest device, NVIDIA L4, ${why}`,
    `NVIDIA L4 does not match: ${why}`,
    'ml/a: x',
  ].map((text) => warningAt('warned', 'a.yaml:1:1', text, 'Meet it'));
  const left = (said: string): string[] => omitSaidMismatches(warnings, [said]).map(({ message }) => message);

  test('is no warning where replicas do not fit for that reason', () => {
    expect(left(`us / l4: gpu: ${why} (where)`)).toEqual(['ml/a: x']);
  });

  test('is a warning where replicas do not fit for another reason', () => {
    expect(left('us / l4: all devices are in use')).toHaveLength(3);
  });
});

test('steps to take in order are a list below their warning', () => {
  expect(formatList('!', ['A node goes. In this order: 1. drain it (soon); 2. delete it.', 'b'], 'warnings')).toEqual([
    '- ! A node goes. In this order:',
    '  1. Drain it \\(soon\\).',
    '  2. Delete it.',
    '- ! b',
  ]);
});
