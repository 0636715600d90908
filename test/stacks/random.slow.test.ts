import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import * as fc from 'fast-check';
import { FleetStack } from '../../stacks/index';
import { randomFleet } from './random-fleets';
import { record } from './record';
import { RULES, SECRET } from './rules';

/** FLEETWRIGHT_STACKS is the number of fleets. */
const COUNT = Number(process.env['FLEETWRIGHT_STACKS'] ?? 4);
const SEED = Number(process.env['FLEETWRIGHT_SEED'] ?? Date.now() % 2 ** 31);

const work = mkdtempSync(join(tmpdir(), 'random-'));
afterAll(() => rmSync(work, { recursive: true }));

test(`every rule of graphs holds on ${COUNT} random fleets`, async () => {
  // Plans warn of much that is random, and there is no engine to take it.
  jest.spyOn(console, 'warn').mockImplementation();
  pulumi.runtime.setAllConfig({ 'gcp:project': 'models' });
  for (const [index, fleet] of fc.sample(randomFleet, { numRuns: COUNT, seed: SEED }).entries()) {
    writeFileSync(join(work, 'fleet.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: fleet }));
    const existing = fleet.filter(({ kind, spec }) => kind === 'InferenceCluster' && spec.cluster?.existing);
    const kubeconfigs = Object.fromEntries(existing.map(({ metadata }) => [metadata.name, `{"token": "${SECRET}"}`]));
    const all = await record(() => {
      new FleetStack('all', { fleet: work, lockMode: 'ephemeral', kubeconfigs });
    });
    const broken = Object.entries(RULES).flatMap(([rule, check]) => check(all).map((one) => ({ rule, one })));
    expect({ seed: SEED, index, broken }).toEqual({ seed: SEED, index, broken: [] });
  }
}, 900_000);
