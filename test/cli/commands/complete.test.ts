import { execFileSync, spawnSync } from 'node:child_process';
import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL, 'eu.yaml': IN_EUROPE });
});
afterEach(() => work.remove());

const IN_EUROPE = `
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: eu, labels: { topology.kubernetes.io/region: europe-west4 } }
spec: { cluster: { source: Existing, existing: { secretRef: { name: eu } } }, nodePools: [{ name: h100, className: h100, nodeCount: 1 }] }
`;

const cases: Record<string, { words: string; want: string[] }> = {
  'commands come first': { words: 'comp', want: ['completion'] },
  'commands without those of a command': { words: 'mod', want: ['model'] },
  'a cluster for doctor': { words: 'doctor u', want: ['us'] },
  'a deployment for a flag': { words: 'plan ./ --only ml/', want: ['ml/q'] },
  'a kind for explain': { words: 'explain ModelC', want: ['ModelCache'] },
  'a field of a kind for explain': { words: 'explain ModelCache.sp', want: ['ModelCache.spec'] },
  'deployments of the folder that is named': { words: 'plan ./ --only ml', want: ['ml', 'ml/q'] },
  'a pool with what follows it': { words: 'what-if ./ --price u', want: ['us/h100='] },
  'a pool alone': { words: 'what-if ./ --remove-pool us', want: ['us/h100'] },
  'choices of a flag': { words: 'plan --annotations g', want: ['github'] },
  'a value of a flag of init': { words: 'init --gitops a', want: ['argocd'] },
  'the next item of a list': { words: 'init --clouds gke,e', want: ['gke,eks', 'gke,existing'] },
  'the first item of a list': { words: 'init --gpus l4', want: ['l4', 'l40s'] },
  'no GPU that init refuses': { words: 'init --gpus mi3', want: [] },
  'no GPU that a cloud lacks': { words: 'init --gpus gke=l4', want: ['gke=l4'] },
  'the cloud of a GPU': { words: 'init --gpus l4,gk', want: ['l4,gke='] },
  'the GPU of a cloud': { words: 'init --gpus l4,eks=l4', want: ['l4,eks=l4', 'l4,eks=l40s'] },
  'the GPU of a cloud, where a shell splits words at equals signs': {
    words: 'init --gpus eks = l4',
    want: ['l4', 'l40s'],
  },
  'a model': { words: 'fit Qwen/Qwen3-8B-', want: ['Qwen/Qwen3-8B-AWQ'] },
  'an engine of a flag': { words: 'fit Qwen/Qwen3-8B --engine vl', want: ['vllm'] },
  'a number format of a flag': { words: 'fit Qwen/Qwen3-8B --kv-dtype nv', want: ['nvfp4'] },
  'a deployment to make room for': { words: 'plan ./ --rebalance ml/', want: ['ml/q'] },
  'an engine with what follows it': { words: 'what-if ./ --scale-engine ml', want: ['ml/q/main='] },
  'a failure domain': { words: 'survive ./ --domain re', want: ['region'] },
  'a failure domain with its values': { words: 'what-if ./ --lose-domain re', want: ['region=europe-west4'] },
  'the value of a failure domain, where a shell splits words at equals signs': {
    words: 'what-if ./ --lose-domain region = e',
    want: ['europe-west4'],
  },
  'a value behind an equals sign, where a shell splits words there': { words: 'what-if ./ --lose = u', want: ['us'] },
  'a value right behind an equals sign': { words: 'what-if ./ --lose =', want: ['eu', 'us'] },
  'flags of a command': { words: 'plan --mark', want: ['--markdown'] },
  'nothing for a file': { words: 'plan --lock f', want: [] },
  'nothing for an unknown command': { words: 'plam x', want: [] },
};

test.each(Object.entries(cases))('completion finds %s', (_, { words, want }) => {
  const here = process.cwd();
  process.chdir(words.startsWith('doctor') ? work.root : here);
  const { code, out, err } = work.run(`complete-words -- ${words}`);
  process.chdir(here);
  expect({ code, words: out.split('\n').filter(Boolean), err }).toEqual({ code: 0, words: want, err: '' });
});

test('a fleet with errors, and one that a program declares, complete without a message', () => {
  work.write({ 'fleet.yaml': `${SMALL}---\n{ not: [closed`, 'program/cdk8s.yaml': 'app: touch ran\n' });
  expect(work.run('complete-words -- plan ./ --only m')).toMatchObject({ code: 0, err: '' });
  expect(work.run('complete-words -- plan ./program --only m')).toEqual({ code: 0, out: '', err: '' });
  expect(Object.keys(work.files())).not.toContain('program/ran');
});

test.each([
  ['names of the fleet, without flags and files', 'doctor ', 'echo us; echo eu', ['us', 'eu']],
  ['a value behind an equals sign', 'plan --only =', 'echo ml/q', ['ml/q']],
  ['files where it knows no names', 'plan --lock fl', 'true', ['fleet.yaml']],
  ['files where the command line fails', 'plan fl', 'return 70', ['fleet.yaml']],
  ['flags after a dash', 'migrate --is', 'echo --of-the-command-line', ['--issuer']],
  ['commands', 'migr', 'echo never', ['migrate']],
])('bash completes %s', (_, words, answer, want) => {
  const line = words.split(' ').map((word) => `'${word}'`);
  const lines = [
    `fleetwright() { ${answer}; }`,
    work.run('completion bash').out,
    `COMP_WORDS=(fleetwright ${line.join(' ')}) COMP_CWORD=${line.length}`,
    '_fleetwright',
    'echo "${COMPREPLY[@]}"',
  ];
  const out = execFileSync('bash', ['-c', lines.join('\n')], { cwd: work.root, encoding: 'utf8' });
  expect(out.trim().split(' ')).toEqual(want);
});

const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** The arguments that a completion passes to the command line, with what it offers, in shells that are installed. */
const SHELLS: Record<string, { script: (completion: string) => string; want: string }> = {
  fish: {
    script: (completion) => `${completion}
function fleetwright; echo given-(string join + -- $argv); end
complete -C "fleetwright what-if --lose=u"`,
    want: 'given-complete-words+--+what-if+--lose+u',
  },
  zsh: {
    script: (completion) => `
compset() { shift 2; echo "ignored $@"; }
compadd() { print -r -- "$@"; }
compdef() { true; }
fleetwright() { print -r -- "given $*"; }
${completion}
words=(fleetwright what-if --lose=u) CURRENT=3
_fleetwright`,
    want: 'given complete-words -- what-if --lose u',
  },
};

for (const [shell, { script, want }] of Object.entries(SHELLS)) {
  (hasShell(shell) ? test : test.skip)(`${shell} completes a value behind an equals sign`, () => {
    const flags = shell === 'fish' ? ['--no-config'] : ['-f'];
    const lines = script(work.run(`completion ${shell}`).out);
    expect(execFileSync(shell, [...flags, '-c', lines], { cwd: work.root, encoding: 'utf8' })).toContain(want);
  });
}

(hasShell('fish') ? test.each : test.skip.each)([
  ['names of the fleet, without files', 'doctor ', 'echo us; echo eu', ['eu', 'us']],
  ['values of a flag, without files', 'plan --only ', 'echo ml/q', ['ml/q']],
  ['files where it knows no names', 'plan --lock fl', 'true', ['fleet.yaml']],
  ['files where the command line fails', 'plan fl', 'return 70', ['fleet.yaml']],
])('fish completes %s', (_, words, answer, want) => {
  const names = `function fleetwright; ${answer}; end`;
  const lines = [work.run('completion fish').out, names, `complete -C 'fleetwright ${words}'`].join('\n');
  const out = execFileSync('fish', ['--no-config', '-c', lines], { cwd: work.root, encoding: 'utf8' });
  expect(out.trim().split('\n').sort()).toEqual(want);
});

test.each([
  ['fish offers no files next to values', 'fish', " -x -a '(__fleetwright_names)'"],
  ['fish passes an empty word as one argument', 'fish', '-- $words[2..] "$word" 2>/dev/null'],
  [
    'zsh completes at the first use of the function',
    'zsh',
    'if [[ "$funcstack[1]" == _fleetwright ]]; then _fleetwright "$@"',
  ],
])('the script of %s', (_, shell, want) => {
  expect(work.run(`completion ${shell}`).out).toContain(want);
});
