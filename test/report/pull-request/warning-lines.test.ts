import { warningAt } from '../../../src/base/diagnostic';
import { groupWarnings } from '../../../src/report/pull-request/warning-lines';

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
