import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './engine.cjs';
import { FROM_SOURCES, runMain } from './run-main';

// Each run is a process of its own that loads Pulumi and all sources.
jest.setTimeout(120_000);

const work = mkdtempSync(join(tmpdir(), 'errors-'));
afterAll(() => rmSync(work, { recursive: true }));

const BROKEN = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: us }
spec: { cluster: { source: Existing }, colour: red }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: eu }
spec: { cluster: { source: Existing, existing: { context: eu } }, nodePools: [{ name: a, className: none, nodeCount: many }] }
`;

/** A folder of manifests with mistakes in several places. */
function brokenFleet(): string {
  const folder = join(work, 'fleet');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'fleet.yaml'), BROKEN);
  return folder;
}

function runProgram(name: string, config: Readonly<Record<string, string>> = {}): ReturnType<typeof run> {
  return run({ ...FROM_SOURCES, program: join(process.cwd(), `test/stacks/programs/${name}.ts`), config });
}

/** Each problem is one line that starts with its place. */
const PROBLEM = /^\S[^:]*(?::\d+:\d+)?: .+\.$/;

test('a FleetStack fails with the text of the program of Pulumi.yaml: every problem, each with its place', async () => {
  const fleet = brokenFleet();
  const [own, main] = await Promise.all([
    runProgram('broken-fleet', { 'fleetwright:fleet': fleet }),
    runMain({ config: { 'fleetwright:fleet': fleet } }),
  ]);
  expect(own.code).toBe(main.code);
  expect(own.said).toEqual(main.said);
  expect(own.said).toHaveLength(1);
  const lines = own.said[0]!.split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(lines.filter((line) => !PROBLEM.test(line))).toEqual([]);
});

test.each([
  ['a fleet of constructs', 'broken-constructs', /^main\/one.*\n.*main\/two/],
  [
    'a cluster without a kubeconfig',
    'no-kubeconfig',
    /^lab: the cluster has neither a kubeconfig nor a context\. Pass /,
  ],
])('%s that is wrong ends a program with its problems alone, without a stack trace or an object', async (...row) => {
  const [, name, want] = row;
  const { code, said } = await runProgram(name);
  expect(code).not.toBe(0);
  expect(said).toEqual([expect.stringMatching(want)]);
  expect(said[0]!.split('\n').filter((line) => !PROBLEM.test(line))).toEqual([]);
});
