import { basename } from 'node:path';
import { SMALL, Workspace } from './cli';

interface Case {
  /** Files beside, or in place of, the small fleet. */
  files?: Record<string, string>;
  /** Edits of the small fleet. */
  edit?: [from: string, to: string];
  run: string;
  code?: number;
  want: string[];
}

const LOCK = `version: 1
deployments:

  ml/q:
    replicas:
      - {cluster: us, index: 0, pools: {main: h100}, shape: "00000000"}

...
`;
const RESTORE = "Restore it from git, or recreate it with 'fleetwright lock . --from HEAD'.";

/** The settings of a fleet. */
function settings(...fields: string[]): string {
  const spec = fields.map((field) => `  ${field}\n`).join('');
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: main }\nspec:\n${spec}`;
}

const declarations: Record<string, Case> = {
  'text that is not YAML': {
    edit: ['  name: us\n', '  name: "us\n'],
    run: 'plan ./',
    want: [expect.stringMatching(/^fleet\.yaml:\d+:\d+: .+\. .+\.$/) as string],
  },
  'YAML of the wrong shape': {
    files: { 'fleet.yaml': '- a\n- b\n' },
    run: 'plan ./',
    want: [expect.stringMatching(/^fleet\.yaml:1:1: /) as string],
  },
  'a typo in a field': {
    edit: ['replicas: 1', 'replcas: 1'],
    run: 'validate ./',
    want: ["fleet.yaml:31:3: unknown field 'replcas'. Use 'replicas'."],
  },
  'next to it, what a cloud would refuse of a cluster': {
    edit: ['replicas: 1', 'replcas: 1'],
    files: {
      'more.yaml': `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: eu }
spec: { cluster: { source: GKE, gke: { region: europe-west4, kubernetesVersion: "1.20" } } }
`,
    },
    run: 'plan ./',
    want: [
      "fleet.yaml:31:3: unknown field 'replcas'. Use 'replicas'.",
      'more.yaml:4:81: Kubernetes 1.20 is not between 1.33 and 1.36, the versions for new clusters on GKE. Use one of these versions.',
    ],
  },
  'next to it, a lock that is none': {
    edit: ['replicas: 1', 'replcas: 1'],
    files: { 'fleet.lock.yaml': 'a: b\n' },
    run: 'plan ./',
    want: [
      `fleet.lock.yaml:1:1: the line 'version: 1' is missing: this is not a lock file. ${RESTORE}`,
      "fleet.yaml:31:3: unknown field 'replcas'. Use 'replicas'.",
    ],
  },
  'next to it, nothing of what looks for the document that has it': {
    edit: ['devices:', 'device:'],
    run: 'plan ./',
    want: [expect.stringMatching(/unknown field 'device'/) as string],
  },
  'next to a cluster that cannot be read, nothing of its storage class': {
    edit: ['nodePools:', 'nodePool:'],
    files: {
      'settings.yaml': settings('prices: prices.yaml'),
      'prices.yaml': 'storage:\n  - { fileSystem: nfs, perGiBMonth: 0.03, source: our own, asOf: 2026-11-01 }\n',
    },
    run: 'plan ./',
    want: [expect.stringMatching(/unknown field 'nodePool'/) as string],
  },
  'next to a Fleet that cannot be read, nothing of the files that it names': {
    files: {
      'settings.yaml': settings('policies: rules.yaml', 'colour: red'),
      'rules.yaml': 'rules:\n  - { name: quota, deviceQuota: { namespace: ml, most: 40 } }\n',
    },
    run: 'plan ./',
    want: [expect.stringMatching(/^settings\.yaml:\d+:\d+: unknown field 'colour'/) as string],
  },
  'a class that does not exist': {
    edit: ['className: h100', 'className: h10'],
    run: 'plan ./',
    want: [expect.stringMatching(/^fleet\.yaml:23:32: there is no InferenceClass 'h10'\. Use 'h100'\.$/) as string],
  },
  'two resources of one name': {
    files: { 'more.yaml': SMALL.slice(0, SMALL.indexOf('---')) },
    run: 'plan ./',
    want: [expect.stringMatching(/^more\.yaml:\d+:\d+: .*fleet\.yaml:\d+:\d+/) as string],
  },
  'a selector that does not compile': {
    edit: ['compareTo(quantity("79Gi")) >= 0', 'compareTo(quantity("79Gi") >= 0'],
    run: 'validate ./',
    want: [expect.stringMatching(/^fleet\.yaml:\d+:\d+: .+ of the expression\)/) as string],
  },
  'a quantity that is none': {
    edit: ['81559Mi', '81559 Mi'],
    run: 'plan ./',
    want: [expect.stringMatching(/^fleet\.yaml:12:\d+: .*'81559 Mi'/) as string],
  },
  'a count of zero': {
    edit: ['count: 8\n                    sel', 'count: 0\n                    sel'],
    run: 'validate ./',
    want: [expect.stringMatching(/^fleet\.yaml:\d+:\d+: .*0/) as string],
  },
  'nothing at all': {
    files: { 'fleet.yaml': '' },
    run: 'lock ./fleet.yaml',
    want: [
      'fleet.yaml: it declares no resource of Fleetwright. Use the folder of the fleet. To delete a fleet, remove its files.',
    ],
  },
  'one of our kinds in a group that is none': {
    files: {
      'fleet.yaml': SMALL.replace('fleetwright.dev/v1alpha1\nkind: ModelDeployment', 'v1\nkind: ModelDeployment'),
    },
    run: 'lock ./',
    want: ["fleet.yaml:25:13: 'v1' is not an API group of Fleetwright. Use 'fleetwright.dev/v1alpha1'."],
  },
  'a lock file that is named and not there': {
    run: 'plan ./ --lock ./nope.yaml',
    want: ['nope.yaml: the lock file does not exist. Check the path.'],
  },
  'a folder that is not there': {
    run: 'plan ./nowhere',
    want: [expect.stringMatching(/^nowhere: /) as string],
  },
};

/** Beside each other, what is wrong with the fields of a cluster, its cloud and what it names. */
const WRONG_CLUSTER = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: eu }
spec:
  cluster: { source: GKE, gke: { region: europe-west4, kubernetesVersion: "1.37" } }
  storage: { sharedFilesystem: { storageClassName: premium-rwo } }
  nodePools: [{ name: ${'p'.repeat(41)}, className: h10, zones: [europe-west4-a] }]
`;
for (const command of ['validate', 'plan', 'lock', 'synth']) {
  declarations[`all that is wrong with a cluster, for ${command}`] = {
    files: { 'more.yaml': WRONG_CLUSTER },
    run: `${command} ./`,
    want: [
      'more.yaml:5:75: Kubernetes 1.37 is not between 1.33 and 1.36, the versions for new clusters on GKE. Use one of these versions.',
      "more.yaml:6:52: 'premium-rwo' is a storage class of GKE itself, and makes volumes for one node at a time. Remove it to use the shared file system that comes with the cluster, or name a storage class of your own.",
      'more.yaml:7:23: a text of 41 characters is greater than the maximum of 40. Shorten it to at most 40 characters.',
      "more.yaml:7:77: there is no InferenceClass 'h10'. Use 'h100'.",
    ],
  };
}

const locks: Record<string, Case> = {
  'a lock of another version': {
    files: { 'fleet.lock.yaml': LOCK.replace('1', '2') },
    run: 'plan ./',
    want: [
      'fleet.lock.yaml:1:1: the lock has version 2, this release reads 1. Use the release of fleetwright that wrote it, or a later one.',
    ],
  },
  'a lock that is cut off in the middle': {
    files: { 'fleet.lock.yaml': LOCK.slice(0, -5) },
    run: 'plan ./',
    want: [`fleet.lock.yaml:1:1: the lock file is truncated: its last line '...' is missing. ${RESTORE}`],
  },
  'a lock with a duplicate line': {
    files: { 'fleet.lock.yaml': LOCK.replace(/( {6}- .*\n)/, '$1$1') },
    run: 'plan ./',
    want: [`fleet.lock.yaml:7:1: replica ml/q us/0 is listed twice, first in line 6. ${RESTORE}`],
  },
};

const conflict = LOCK.replace(/( {6}- .*\n)/, '<<<<<<< HEAD\n$1=======\n$1>>>>>>> other\n');
for (const command of ['plan', 'synth', 'explain ml/q', 'lock --check']) {
  locks[`conflict markers in the lock, for ${command}`] = {
    files: { 'fleet.lock.yaml': conflict },
    run: `${command} ./`,
    want: [
      "fleet.lock.yaml:6:1: the lock has merge-conflict markers. Run 'fleetwright lock .', which reads both sides and merges them.",
    ],
  };
}

const usage: Record<string, Case> = {
  'a command that does not exist': {
    run: 'paln ./',
    want: ["error: unknown command 'paln'", '(Did you mean plan?)', '(--help shows every command and flag)'],
  },
  'a command that a flag of another replaces': {
    run: 'cost ./',
    want: [
      "error: unknown command 'cost'",
      '(--help shows every command and flag)',
      "(Use 'fleetwright plan DIR --cost')",
    ],
  },
  'a command that does not exist, whose name another command is spelled like': {
    run: 'list ./',
    want: [
      "error: unknown command 'list'",
      '(--help shows every command and flag)',
      "(Use 'fleetwright plan DIR --all')",
    ],
  },
  'a deployment that does not exist': {
    run: 'explain ml/p ./',
    want: [".: there is no deployment, service, cache, gateway or cluster 'ml/p'. Did you mean 'ml/q'?"],
  },
  'a git revision where there is no repository': {
    run: 'plan ./ --from HEAD',
    want: ["fleet.lock.yaml: '.' is not in a git repository. Run the command in a checkout."],
  },
  'a shell that has no completion': {
    run: 'completion fsh',
    want: ["completion: unknown shell 'fsh'. Did you mean 'fish'?"],
  },
};

const outputs: Record<string, Case> = {
  'an output folder that is a file': {
    files: { out: 'x' },
    run: 'synth ./ --ephemeral --out ./out',
    want: [expect.stringMatching(/^out: /) as string],
  },
  'an output folder that holds files of others where ours would go': {
    files: { 'out/us/ml.q.yaml': 'mine' },
    run: 'synth ./ --ephemeral --out ./out',
    want: [expect.stringMatching(/^out.*us\/ml\.q\.yaml/) as string],
  },
  'a lock file that is a folder': {
    files: { 'fleet.lock.yaml/x': '' },
    run: 'lock ./',
    want: [expect.stringMatching(/^fleet\.lock\.yaml: /) as string],
  },
};

describe.each([
  ['the declarations', declarations],
  ['the lock', locks],
  ['the command', usage],
  ['the output', outputs],
])('bad input in %s', (_, cases) => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.remove());

  test.each(Object.entries(cases))('%s gives one clear message, a non-zero exit and no changed file', (_, row) => {
    const { files = {}, edit = ['', ''], run, code = 1, want } = row;
    work.write({ 'fleet.yaml': SMALL.replace(...edit), ...files });
    const before = work.files();
    const ran = work.run(run);
    expect(ran.err.trim().split('\n').filter(Boolean)).toEqual(want);
    expect(ran.out).toBe('');
    expect(ran.code).toBe(code);
    expect(work.files()).toEqual(before);
  });
});

describe('a file of many empty documents', () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace().write({ 'fleet.yaml': '--- {}\n'.repeat(5_000) });
  });
  afterEach(() => work.remove());

  const LAST = 'fleet.yaml:501:5: 4500 more problems are not shown. Fix the problems above first.';

  test('prints its first problems and a count', () => {
    const { code, err } = work.run('plan ./');
    const lines = err.trim().split('\n');
    expect({ code, lines: lines.length, last: lines.at(-1) }).toEqual({ code: 1, lines: 501, last: LAST });
  });

  test('does so in JSON and in annotations', () => {
    const { out, err } = work.run('plan ./ --json --annotations github');
    expect((JSON.parse(out) as { problems: unknown[] }).problems).toHaveLength(501);
    expect(err.trim().split('\n')).toHaveLength(501);
  });
});

test('a folder that is a dot is named', () => {
  const { err } = new Workspace().run('plan . --gate');
  expect(err).toMatch(new RegExp(`^${basename(process.cwd())}: .*Add --against REVISION`));
});
