import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { PROGRAM_PACKAGES } from '../../../src/catalog/program-packages';
import { Workspace } from '../cli';
import { interview } from './interview';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const BASE = [
  '.gitignore',
  'fleet/README.md',
  'fleet/classes.yaml',
  'fleet/clusters.yaml',
  'fleet/fleet.yaml',
  'fleet/models.yaml',
  'package.json',
];

const files: Record<string, { flags: string; want: string[] }> = {
  'the defaults are manifests, pinned versions and a workflow': {
    flags: '',
    want: ['.github/workflows/fleet.yaml', ...BASE],
  },
  'no CI leaves the workflow out': { flags: '--ci none', want: BASE },
  'GitLab has its own file': { flags: '--ci gitlab', want: ['.gitignore', '.gitlab-ci.yml', ...BASE.slice(1)] },
  'Pulumi adds a program and what its folder needs': {
    flags: '--pulumi --ci none',
    want: [...BASE, 'main.ts', 'Pulumi.yaml', 'tsconfig.json'],
  },
  'GitOps adds the objects of its tool': { flags: '--gitops flux --ci none', want: [...BASE, 'gitops/flux.yaml'] },
};

test.each(Object.entries(files))('%s', (_, { flags, want }) => {
  expect(work.run(`init ./ ${flags}`.trim())).toMatchObject({ code: 0, err: '' });
  expect(Object.keys(work.files()).sort()).toEqual([...want].sort());
});

test.each(['', '--gitops flux'])('a program with %s takes one cluster alone where the stack names it', (flags) => {
  work.run(`init ./ --pulumi --ci none ${flags}`.trim());
  const main = work.files()['main.ts'];
  expect(main).toContain("new Config('fleetwright').get('cluster')");
  expect(main).toContain('...(cluster !== undefined && { cluster }) });');
});

const refused: Record<string, { flags: string; want: string }> = {
  'a cloud that is misspelt': { flags: '--clouds gkee', want: "--clouds: 'gkee' is not known. Did you mean 'gke'?" },
  'no cloud': { flags: '--clouds ,', want: '--clouds: no cloud is given. Use one or more of gke, eks, aks, existing.' },
  'a GPU that is misspelt': { flags: '--gpus h10', want: "--gpus: there is no GPU 'h10'. Did you mean 'h100'?" },
  'a GPU of which there are several': {
    flags: '--gpus a100',
    want: "--gpus: there is no GPU 'a100'. Use one of a100-40gb, a100-40gb-pcie, a100-80gb, a100-80gb-pcie.",
  },
  'a GPU with the size of its memory': {
    flags: '--gpus h100-80gb',
    want: "--gpus: there is no GPU 'h100-80gb'. Did you mean 'h100'?",
  },
  'an accelerator of the catalog that is not a GPU of NVIDIA': {
    flags: '--gpus MI300X',
    want: "--gpus: 'init' takes the NVIDIA GPUs of the catalog, and mi300x is not one. Use one of a10, a100-40gb, a100-40gb-pcie, a100-80gb, a100-80gb-pcie, a10g, b200, b300, gb200, gb300, h100, h100-nvl, h100-pcie, h200, l4, l40s, rtx-pro-6000, t4. Then change the class and the image of the engine to those for mi300x.",
  },
  'a GPU that is too small for the model': {
    flags: '--clouds eks --gpus t4 --model deepseek-ai/DeepSeek-R1',
    want: '--gpus: no nodes with t4 on eks serve deepseek-ai/DeepSeek-R1. GPUs that do: eks: ',
  },
  'a cloud without the GPU': {
    flags: '--clouds gke,eks --gpus l40s',
    want: '--gpus: no nodes with l40s on gke serve Qwen/Qwen3-8B. GPUs that do: gke: ',
  },
  'a cloud of a GPU that is misspelt': {
    flags: '--gpus gkee=l4',
    want: "--gpus: 'gkee' is not known. Did you mean 'gke'?",
  },
  'a cloud without its GPU': { flags: '--gpus gke=', want: "--gpus: no GPU is given in 'gke='. Add it: gke=l4." },
  'a cloud with more than a GPU': { flags: '--gpus gke=l4=2', want: "--gpus: there is no GPU 'l4=2'." },
  'a GPU of a cloud that does not have it, next to one that it has': {
    flags: '--gpus gke=h100,gke=l40s',
    want: '--gpus: no nodes with l40s on gke serve Qwen/Qwen3-8B. GPUs that do: gke: ',
  },
  'a GPU of a cloud that the fleet does not have': {
    flags: '--clouds gke --gpus gke=l4,eks=l4',
    want: "--gpus: 'eks' is not one of --clouds gke. Add it there.",
  },
  'GPUs of some clouds, and none of others': {
    flags: '--clouds gke,eks --gpus gke=l4',
    want: "--gpus: no GPU is given for eks. Add 'eks=GPU', or a GPU without a cloud.",
  },
  'a GPU that is for no cloud': {
    flags: '--gpus gke=l4,h100',
    want: "--gpus: every cloud has GPUs of its own, so no cloud is left for h100. Name its cloud, as in 'gke=h100'.",
  },
  'a cluster that exists on a cloud that the fleet does not have': {
    flags: '--clouds gke --pulumi --existing eks',
    want: "--existing: 'eks' is not one of --clouds gke. Add it there.",
  },
  'a cluster that exists on what is not a cloud': {
    flags: '--clouds gke,existing --pulumi --existing existing',
    want: "--existing: 'existing' is not known. Use one of gke, eks, aks.",
  },
  'a model that is misspelt': {
    flags: '--model Qwen/Qwen3-8',
    want: "Qwen/Qwen3-8: unknown model. The nearest are 'Qwen/Qwen3-8B'",
  },
  'a tool that is misspelt': { flags: '--gitops argo', want: "--gitops: 'argo' is not known." },
  'a CI that is misspelt': { flags: '--ci gitub', want: "--ci: 'gitub' is not known. Did you mean 'github'?" },
};

test('a GPU that no cloud has is one error', () => {
  const { err } = work.run('init ./new --clouds aks --gpus l4');
  expect(err.trim().split('\n')).toHaveLength(1);
});

test.each(Object.entries(refused))('%s is refused, and nothing is written', (_, { flags, want }) => {
  const { code, err } = work.run(`init ./new ${flags}`);
  expect(code).toBe(1);
  expect(err).toContain(want);
  expect(work.files()).toEqual({});
});

test('a file that exists is not overwritten, and no other file is written', () => {
  work.write({ 'package.json': '{}', 'fleet/models.yaml': '' });
  const { code, err } = work.run('init ./');
  expect(code).toBe(1);
  expect(err).toBe(
    [
      'fleet/models.yaml: the file exists already. Use a new folder, or move the file.\n',
      'package.json: the file exists already. Use a new folder, or move the file.\n',
    ].join(''),
  );
  expect(work.files()).toEqual({ 'package.json': '{}', 'fleet/models.yaml': '' });
});

test('manifests name their schema, and say what to change', () => {
  work.run('init ./ --clouds gke --model meta-llama/Llama-3.3-70B-Instruct');
  for (const name of ['classes', 'clusters', 'fleet', 'models']) {
    const [line, comment] = work.read(`fleet/${name}.yaml`).split('\n');
    expect(line).toBe('# yaml-language-server: $schema=../node_modules/fleetwright/schema/fleetwright.json');
    expect(comment).toMatch(/^# [A-Z]/);
  }
});

test('manifests in git are compared with what synth writes', () => {
  work.run('init ./ --gitops argocd');
  const { jobs } = parse(work.read('.github/workflows/fleet.yaml')) as {
    jobs: { plan: { steps: { run?: string }[] } };
  };
  expect(jobs.plan.steps.map(({ run = '' }) => run).join('')).toContain('synth fleet --out manifests');
});

test('a workflow comments a fleet that validate refuses', () => {
  work.run('init ./');
  const { jobs } = parse(work.read('.github/workflows/fleet.yaml')) as {
    jobs: { plan: { steps: { name?: string }[] } };
  };
  const names = jobs.plan.steps.flatMap(({ name }) => name ?? []);
  expect(names).toEqual(['Plan', 'Comment', 'Validate', 'Lock', 'Gate']);
});

test('a pool has an instance type with a price where its GPU has one', () => {
  work.run('init ./ --clouds gke --gpus h100 --ci none');
  expect(work.read('fleet/classes.yaml')).toContain('from: gcp/a3-highgpu-8g');
});

test.each<[string, string, Record<string, string[]>]>([
  ['gke=h100,EKS=A100-80GB', '', { 'gke-us-central1': ['h100'], 'eks-us-east-1': ['a100-80gb'] }],
  ['l4,eks=h100', ' --clouds gke,eks', { 'gke-us-central1': ['l4'], 'eks-us-east-1': ['h100'] }],
  ['gke=h100,gke=l4', '', { 'gke-us-central1': ['h100', 'l4'] }],
  ['h100,l4', ' --clouds gke,eks', { 'gke-us-central1': ['h100', 'l4'], 'eks-us-east-1': ['h100', 'l4'] }],
])('GPUs are those of each cloud: --gpus %s%s', (list, clouds, want) => {
  const { code, out } = work.run(`init ./ --ci none --json --gpus ${list}${clouds}`);
  const documents = parseAllDocuments(work.read('fleet/clusters.yaml')).map((one) => one.toJS() as Declared);
  const pools = documents.map(({ metadata, spec }) => [metadata.name, spec.nodePools.map(({ name }) => name).sort()]);
  expect(Object.fromEntries(pools)).toEqual(want);
  expect([code, (JSON.parse(out) as { gpus: string[] }).gpus]).toEqual([
    0,
    [...new Set(Object.values(want).flat())].sort(),
  ]);
});

interface Declared {
  metadata: { name: string };
  spec: { nodePools: { name: string }[] };
}

function pins(text: string): string[] {
  return text.match(/actions\/[\w-]+@[0-9a-f]{40}/g) ?? [];
}

test('the workflow pins the actions that the example pins', () => {
  work.run('init ./');
  expect(pins(work.read('.github/workflows/fleet.yaml'))).toEqual(
    pins(readFileSync('examples/ci/workflows/fleet.yaml', 'utf8')),
  );
});

test('a program pins the packages that this release is tested with', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const shared = Object.entries(PROGRAM_PACKAGES).filter(([name]) => name.startsWith('@'));
  expect(shared.map(([name, version]) => [name, version])).toEqual(
    shared.map(([name]) => [name, devDependencies[name]]),
  );
});

const packages: Record<string, { flags: string; want: string[] }> = {
  'a fleet without Pulumi needs this package alone': { flags: '', want: ['fleetwright'] },
  'clusters that exist need no provider of a cloud': {
    flags: '--pulumi',
    want: ['@pulumi/kubernetes', '@pulumi/pulumi', 'fleetwright'],
  },
  'clusters on a cloud need its provider': {
    flags: '--pulumi --clouds gke,eks',
    want: ['@pulumi/aws', '@pulumi/gcp', '@pulumi/kubernetes', '@pulumi/pulumi', 'fleetwright'],
  },
  'a cluster on a cloud that another tool creates needs no provider': {
    flags: '--pulumi --clouds gke,eks --existing eks',
    want: ['@pulumi/gcp', '@pulumi/kubernetes', '@pulumi/pulumi', 'fleetwright'],
  },
};

test.each(Object.entries(packages))('%s', (_, { flags, want }) => {
  work.run(`init ./ ${flags}`.trim());
  const { dependencies, devDependencies } = JSON.parse(work.read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  expect(Object.keys(dependencies!)).toEqual(want);
  expect(Object.keys(devDependencies ?? {})).toEqual(
    flags.includes('--pulumi') ? ['@types/node', 'ts-node', 'typescript'] : [],
  );
});

test('on a terminal init asks for everything, and an empty answer is the default', async () => {
  const { code, asked } = await interview(work, ['gke', '', '', '', '']);
  expect(code).toBe(0);
  expect(asked.split('\n').filter((line) => line.startsWith('['))).toEqual([
    '[existing] ',
    '[Qwen/Qwen3-8B] ',
    '[l4] ',
    '[pulumi] ',
    '[github] ',
  ]);
  expect(work.read('new/fleet/classes.yaml')).toContain('from: gcp/g2-standard-4');
  expect(Object.keys(work.files())).toContain('new/main.ts');
});

test('an answer that is wrong is reported and asked for again', async () => {
  const { code, err } = await interview(work, ['gkee', 'gke', '', 'h10', 'h100', 'pulumy', 'flux', 'none']);
  expect(code).toBe(0);
  expect(err).toContain("--clouds: 'gkee' is not known. Did you mean 'gke'?");
  expect(err).toContain("there is no GPU 'h10'");
  expect(err).toContain("'pulumy' is not known. Did you mean 'pulumi'?");
  expect(Object.keys(work.files())).toContain('new/gitops/flux.yaml');
});

test('what flags say is not asked', async () => {
  const flags = ['--clouds', 'eks', '--model', 'Qwen/Qwen3-8B', '--gpus', 'l4', '--pulumi', '--ci', 'none'];
  expect(await interview(work, [], flags)).toMatchObject({ code: 0, asked: '' });
});

test('clouds that GPUs name are not asked for', async () => {
  const flags = ['--model', 'Qwen/Qwen3-8B', '--gpus', 'gke=l4,eks=h100', '--ci', 'none'];
  const { code, asked } = await interview(work, ['', ''], flags);
  expect([code, asked.split('\n')[1]]).toEqual([0, '[pulumi] ']);
});

test('with --yes nothing is asked', async () => {
  expect(await interview(work, [], ['--yes'])).toMatchObject({ code: 0, asked: '' });
});

test('a folder with a fleet is refused before the first question', async () => {
  work.write({ 'new/package.json': '{}' });
  expect(await interview(work, [])).toMatchObject({ code: 1, asked: '' });
});

test('init says what comes next', () => {
  const { out } = work.run('init ./new --pulumi --clouds gke');
  for (const step of ['npm install', 'npx fleetwright lock fleet', 'pulumi config set gcp:project PROJECT']) {
    expect(out).toContain(`\n  ${step}`);
  }
  expect(JSON.parse(work.run('init ./other --json').out)).toMatchObject({ kind: 'NewFleet', gpus: ['l4'] });
});

test.each([
  ['github', '.github/workflows/fleet.yaml'],
  ['gitlab', '.gitlab-ci.yml'],
])('with GitOps, the README and a failing check of %s say how to write the manifests', (ci, path) => {
  work.run(`init ./ --gitops argocd --ci ${ci}`);
  const synth = 'npx fleetwright synth fleet --out manifests';
  expect(work.read('fleet/README.md')).toContain(
    `3. Write the manifests with \`${synth}\`, and commit \`manifests/\`:`,
  );
  expect(work.read(path)).toContain(`echo "manifests/ is out of date. Run '${synth}'`);
  expect(parse(work.read(path))).toBeTruthy();
});

test('without GitOps, the README has no step for manifests, and it first installs from a file', () => {
  work.run('init ./');
  const text = work.read('fleet/README.md');
  expect(text).not.toContain('synth');
  expect(/^ {4}npm install.*/m.exec(text)?.[0]).toMatch(/^ {4}npm install \.\/fleetwright-[\d.]+\.tgz$/);
});
