import { parseQuantity } from '../../../src/cel/values/quantity';
import { formatResourceAmount, type ResourceName } from '../../../src/scheduler/compile/resource-requests';

const cases: [ResourceName, number, string][] = [
  ['cpu', 0, '0'],
  ['cpu', 85_500, '85500m'],
  ['cpu', 171_000, '171'],
  ['cpu', 2_000_000, '2k'],
  ['memory', 0, '0'],
  ['memory', 1023, '1023'],
  ['memory', 1000, '1k'],
  ['memory', 942_208_450_560, '898560Mi'],
  ['memory', 3 * 1024 ** 3, '3Gi'],
];

test.each(cases)('%s of %d is written as Kubernetes would: %s', (name, amount, want) => {
  expect(formatResourceAmount(name, amount)).toBe(want);
  expect(parseQuantity(want).asApproximateFloat() * (name === 'cpu' ? 1000 : 1)).toBe(amount);
});
