import type { Plan } from '../../src/plan/plan';
import { compileOutputSchema } from '../output-schema';
import { SMALL } from './cli';
import { Repository } from './repository';

const validate = compileOutputSchema('plan');

let work: Repository;
beforeEach(() => {
  work = new Repository();
  work.locked(SMALL);
});
afterEach(() => work.remove());

function problemsOf(args: string): unknown {
  const document = JSON.parse(work.run(args).out) as unknown;
  validate(document);
  return validate.errors ?? [];
}

const fleets: Record<string, string> = {
  'a plan that changes nothing': SMALL,
  'a plan that does not fit': SMALL.replace('replicas: 1', 'replicas: 5'),
  'a plan that moves': SMALL.replace('name: us\nspec', 'name: eu\nspec'),
  'a plan with warnings': SMALL.replace('quantity("79Gi")', 'quantity("100Gi")'),
};

test.each(Object.entries(fleets))('%s is as its schema says', (_, text) => {
  work.write({ 'fleet.yaml': text });
  expect(problemsOf('plan ./ --json')).toEqual([]);
  expect(problemsOf('plan ./ --json --against main --allow-dirty')).toEqual([]);
});

test.each(['examples/cache', 'examples/does-not-fit', 'examples/lora'])('so is that of %s', (example) => {
  expect(problemsOf(`plan ${example} --json`)).toEqual([]);
});

test('another version is another document', () => {
  const document = JSON.parse(work.run('plan ./ --json').out) as object;
  expect(validate({ ...document, version: 1 })).toBe(false);
  expect(validate({ ...document, totals: undefined })).toBe(false);
});

test.each([
  ['all replicas are in a plan', 'plan ./ --json', [['ml/q', 1]], [['ml/q', 1]]],
  ['what stays is not in one beside another state', 'plan ./ --json --against main', [], [['ml/q', undefined]]],
])('%s', (_, args, replicas, costs) => {
  const { deployments, cost } = JSON.parse(work.run(args).out) as Plan;
  expect(deployments.map(({ deployment, staying }) => [deployment, staying?.length])).toEqual(replicas);
  expect(cost.deployments.map(({ deployment, replicas }) => [deployment, replicas?.length])).toEqual(costs);
});

test('next to another state replicas of a deployment that changes have their costs', () => {
  work.write({ 'fleet.yaml': SMALL.replace('v0.23.0', 'v0.24.0') });
  const { cost } = JSON.parse(work.run('plan ./ --json --against main --allow-dirty').out) as Plan;
  expect(cost.deployments.map(({ replicas }) => replicas?.length)).toEqual([1]);
});
