import { resolve } from 'node:path';
import type { Repository } from '../cli/repository';
import { type RanStep, steps } from './composite';
import { act, emptyRepository, HOOK } from './pull-request';

// Each run of the command line runs the program.
jest.setTimeout(120_000);

/** A fleet of two clusters, of which the lock has a name of its own, that runs only where something is installed. */
const program = (image: string): string => `const { App } = require('${resolve('node_modules/cdk8s')}');
const { Fleet, InferenceClass, InferenceCluster, ModelDeployment } = require('fleetwright/constructs');
require('../installed.cjs');
const fleet = new Fleet(new App(), 'main');
const devices = [{ name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count: 8 }];
new InferenceClass(fleet, 'h100', { devices });
for (const name of process.env.CLUSTERS?.split(',') ?? ['eu', 'us']) {
  const cluster = { source: 'Existing', existing: { secretRef: { name } } };
  new InferenceCluster(fleet, name, { cluster, nodePools: [{ name: 'h100', className: 'h100', nodeCount: 2 }] });
}
const template = { spec: { containers: [{ name: 'engine', image: '${image}', args: ['Qwen/Qwen3-8B'] }] } };
const nodeSelector = { devices: [{ name: 'gpu', count: 8, selectors: [{ cel: 'true' }] }] };
const engines = [{ name: 'main', members: [{ nodeSelector, template }] }];
new ModelDeployment(fleet, 'q', { namespace: 'ml', replicas: 2, engines });
fleet.place({ lock: 'prod.lock.yaml' });
`;
const OLD = 'vllm/vllm-openai:v0.23.0';
const NEW = 'vllm/vllm-openai:v0.24.0';
const INSTALL = 'echo > installed.cjs';

let work: Repository;
beforeEach(() => {
  work = emptyRepository();
  work.write({ 'installed.cjs': '', 'fleet/cdk8s.yaml': `app: node -r ${HOOK} main.ts\n` });
});
afterEach(() => work.remove());

function planStep(install = INSTALL): Promise<RanStep[]> {
  const inputs = { directory: 'fleet', install, lock: 'fleet/prod.lock.yaml' };
  return act('plan', work, inputs, {}, 'Plan');
}

/** Commits the program with a lock that has all replicas on one cluster, where it would now choose another. */
function commitLocked(image: string): void {
  const env = { ...process.env, CLUSTERS: 'us' } as Record<string, string>;
  work.write({ 'fleet/main.ts': program(image) });
  expect(work.run('lock ./fleet --lock ./fleet/prod.lock.yaml', { env })).toMatchObject({ code: 0, err: '' });
  work.commit();
}

test('a program is compared with what it declared on the target branch, and with its lock there', async () => {
  commitLocked(OLD);
  work.git('checkout', '-qb', 'change');
  work.write({ 'fleet/main.ts': program(NEW) });
  work.commit();
  expect(steps(await planStep())).toEqual(['Plan 0']);
  const body = work.read('summary');
  expect(body.split('\n').slice(0, 4)).toEqual([
    '<!-- fleetwright: fleet -->',
    '### Fleet `fleet` against `main:fleet`: the gate passes, except with Flux or kubectl',
    '',
    expect.stringMatching(/^Rolls `ml\/q` to `.*` one replica at a time/),
  ]);
  expect(body).toContain('ModelDeployment ml/q');
});

test('a program that the target branch does not have is all new', async () => {
  work.git('commit', '-q', '--allow-empty', '-m', 'x');
  work.git('checkout', '-qb', 'change');
  commitLocked(OLD);
  expect(steps(await planStep())).toEqual(['Plan 0']);
  expect(work.read('summary')).toContain('### Fleet `fleet` against `main`: the gate passes\n');
  expect(work.read('summary')).toContain('| `ml/q` | 0 → 2 |');
});

test('a program is compared with no revision that has it, unless it is said what makes it run there', async () => {
  commitLocked(OLD);
  const ran = await planStep('');
  expect(steps(ran)).toEqual(['Plan 0']);
  expect(work.read('summary')).toContain('**Refused as a whole: nothing is planned until this is corrected.**');
  expect(ran[0]?.out).toContain("its declarations at 'main' are not in the files. Save a plan of that revision");
});
