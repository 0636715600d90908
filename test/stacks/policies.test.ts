import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetStack } from '../../stacks/index';
import { refusal } from './build';
import { record } from './record';

const root = process.cwd();
let work: string;
let warned: jest.SpyInstance;
beforeEach(() => {
  // There is no engine to take what is logged.
  warned = jest.spyOn(console, 'warn').mockImplementation();
  work = mkdtempSync(join(tmpdir(), 'stack-'));
  cpSync('examples/existing', join(work, 'fleet'), { recursive: true });
  process.chdir(work);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(root);
  rmSync(work, { recursive: true });
});

/** What a stack refuses where the fleet has a rule, and how many resources it registers. */
async function stackUnder(rule: string, cluster?: string): Promise<{ said: string[]; registered: number }> {
  writeFileSync('fleet/policy.yaml', `rules: [{ name: house, ${rule} }]\n`);
  const settings = 'kind: Fleet\nmetadata: { name: house }\nspec: { policies: ./policy.yaml }\n';
  writeFileSync('fleet/settings.yaml', `apiVersion: fleetwright.dev/v1alpha1\n${settings}`);
  let said: string[] = [];
  const all = await record(() => {
    const only = cluster === undefined ? {} : { cluster };
    const kubeconfigs = { berlin: 'token: abc' };
    said = refusal(() => new FleetStack('models', { fleet: 'fleet', kubeconfigs, ...only }));
  });
  return { said, registered: all.filter(({ type }) => type !== 'pulumi:pulumi:Stack').length };
}

test('a rule that denies the plan stops a stack before anything is registered, with places', async () => {
  expect(await stackUnder('forbiddenProviders: [Existing]')).toEqual({
    said: ['29:13: cluster berlin', '43:13: cluster munich'].map(
      (what) => `fleet/fleet.yaml:${what} is on Existing. Change the fleet, or rule 'house', which denies the plan.`,
    ),
    registered: 0,
  });
});

test('a rule that warns is logged, and stops nothing', async () => {
  const { said, registered } = await stackUnder('effect: Warn, forbiddenProviders: [Existing]');
  expect(said).toEqual([]);
  expect(registered).toBeGreaterThan(3);
  expect(warned.mock.calls.flat().join('\n')).toContain(
    'warned by house: fleet/fleet.yaml:29:13: cluster berlin is on',
  );
});

describe('the stack of one cluster is held to the rules of the fleet', () => {
  test('also where they are broken elsewhere', async () => {
    const { said, registered } = await stackUnder('forbiddenProviders: [Existing]', 'berlin');
    expect(said.map((line) => line.split('. ')[0])).toEqual([
      'fleet/fleet.yaml:29:13: cluster berlin is on Existing',
      'fleet/fleet.yaml:43:13: cluster munich is on Existing',
    ]);
    expect(registered).toBe(0);
  });

  test('by what the lock has on all clusters', async () => {
    const { said } = await stackUnder('deviceQuota: { most: 1 }', 'berlin');
    const whole = await stackUnder('deviceQuota: { most: 1 }');
    expect(said).toEqual(whole.said);
    expect(said).toEqual([expect.stringMatching(/the fleet uses \d+ of gpu.nvidia.com, and the limit is 1/)]);
  });

  test('once its lock is up to date', async () => {
    const fleet = readFileSync('fleet/fleet.yaml', 'utf8');
    writeFileSync('fleet/fleet.yaml', fleet.replace(/replicas: \d+/g, 'replicas: 9'));
    const { said } = await stackUnder('pinnedImages: true', 'berlin');
    expect(said).toEqual([expect.stringContaining('the lock file is out of date')]);
  });

  test('and logs what they warn of', async () => {
    const { registered } = await stackUnder('effect: Warn, pinnedImages: true', 'berlin');
    expect(registered).toBeGreaterThan(3);
    expect(warned.mock.calls.flat().join('\n')).toContain('warned by house: ');
  });
});
