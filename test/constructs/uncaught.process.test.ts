import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const HOOK = join(ROOT, 'scripts/typescript-hook.cjs');

// Each row is a process of its own that loads the sources.
jest.setTimeout(60_000);

/** Hides packages from a program, as if they were not installed. */
function hide(packages: readonly string[]): string {
  return `const Module = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  if (${JSON.stringify(packages)}.some((one) => name === one || name.startsWith(one + '/')))
    throw Object.assign(new Error('Cannot find module ' + name), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(this, name, ...rest);
};
`;
}

const HEAD = `const { App } = require('cdk8s');
const { Fleet, InferenceCluster } = require('fleetwright/constructs');
const fleet = new Fleet(new App(), 'main');
`;
const BROKEN = `new InferenceCluster(fleet, 'us', { cluster: { source: 'Existing' }, taint: [] });\n`;
const WRONG = `main/us cluster.existing: the field 'existing' is missing. A cluster with source Existing needs it.
main/us taint: an InferenceCluster has no prop 'taint'. Use 'taints'.
`;

interface Case {
  readonly absent?: readonly string[];
  readonly program: string;
  readonly want: { readonly status: number; readonly stderr: string | RegExp };
}

const cases: Record<string, Case> = {
  'place() prints every problem of a fleet, and no stack trace': {
    program: `${HEAD}${BROKEN}fleet.place({ lock: 'ephemeral' });`,
    want: { status: 1, stderr: WRONG },
  },
  'so does a program that fails after an await': {
    program: `${HEAD}${BROKEN}void (async () => { await null; fleet.place({ lock: 'ephemeral' }); })();`,
    want: { status: 1, stderr: WRONG },
  },
  'so does a construct that is in no fleet': {
    program: `${HEAD}new InferenceCluster(new App(), 'us', {});`,
    want: {
      status: 1,
      stderr: 'us: the InferenceCluster is not in a fleet. Pass a Fleet, or a construct in one, as its scope.\n',
    },
  },
  'other errors keep their stack trace': {
    program: `${HEAD}throw new Error('of the program');`,
    want: { status: 1, stderr: /Error: of the program\n +at / },
  },
  'a program that catches what place() throws goes on': {
    program: `${HEAD}${BROKEN}try { fleet.place({ lock: 'ephemeral' }); } catch (error) { console.error(error.code); }`,
    want: { status: 0, stderr: 'missing-field\n' },
  },
  'a program with a handler of its own gets the error': {
    program: `process.on('uncaughtException', (error) => { console.error(error.name); process.exit(7); });\n${HEAD}${BROKEN}fleet.place({ lock: 'ephemeral' });`,
    want: { status: 7, stderr: 'FleetwrightError\n' },
  },
  'constructs without their packages print the command that installs those': {
    absent: ['cdk8s', 'constructs'],
    program: `require('fleetwright/constructs');`,
    want: {
      status: 1,
      stderr: "fleetwright/constructs: cdk8s and constructs are not installed. Run 'npm install cdk8s constructs'.\n",
    },
  },
  'stacks without a package name the one that is missing': {
    absent: ['@pulumi/kubernetes'],
    program: `require('fleetwright/stacks');`,
    want: {
      status: 1,
      stderr: "fleetwright/stacks: @pulumi/kubernetes is not installed. Run 'npm install @pulumi/kubernetes'.\n",
    },
  },
  'stacks of a cloud need its provider': {
    absent: ['@pulumi/aws'],
    program: `require('fleetwright/stacks/eks');`,
    want: {
      status: 1,
      stderr: "fleetwright/stacks/eks: @pulumi/aws is not installed. Run 'npm install @pulumi/aws'.\n",
    },
  },
  'stacks need neither cdk8s nor a cloud': {
    absent: ['cdk8s', 'constructs', 'cdk8s-plus-30', '@pulumi/aws', '@pulumi/gcp'],
    program: `require('fleetwright/stacks');`,
    want: { status: 0, stderr: '' },
  },
};

test.each(Object.entries(cases))('%s', (_, { absent = [], program, want }) => {
  const { status, stderr } = spawnSync(process.execPath, ['-r', HOOK, '-e', hide(absent) + program], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: want.status,
    stderr: typeof want.stderr === 'string' ? want.stderr : expect.stringMatching(want.stderr),
  });
});
