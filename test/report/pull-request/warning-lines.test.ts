import { warningAt } from '../../../src/base/diagnostic';
import { groupWarnings, omitSaidMismatches } from '../../../src/report/pull-request/warning-lines';

const lines = (...texts: string[]): string[] =>
  groupWarnings(texts.map((text, i) => warningAt('warned', `a.yaml:${i}:1`, text, 'Meet it')));

test('warnings that share a line name the deployments and services that they are about, each once', () => {
  const texts = ['ml/b: x', '0 replicas of ml/b serve', 'memory of ml/d is not checked', 'ModelService ml/d: x'];
  expect(lines('ml/a: x', ...texts)).toEqual([
    'a.yaml:0:1: ml/a: x. Meet it. 4 more of this kind (warned): ml/b, ml/d.',
  ]);
});

test('what a warning has in parentheses is not what it is about', () => {
  const full = ['eu', 'us', 'dc'].map((cluster) => `${cluster} is full (before: 1 more of ml/c)`);
  expect(lines(...full)[0]).toMatch(/ 2 more of this kind \(warned\)\.$/);
});

test('two warnings of a kind are two lines', () => {
  expect(lines('ml/a: x', 'ml/b: x')).toHaveLength(2);
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
