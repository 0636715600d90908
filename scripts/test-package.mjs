// `npm run test:package`: packs the package, lints it and its types, installs it in an empty project, compiles strict
// programs against it from CommonJS and ES modules, with every example of the documentation, runs them on this Node and on
// the other releases that are supported, and runs the programs of all examples.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runExamples } from './run-examples.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'fleetwright-package-'));

const OPTIONS = {
  target: 'es2022',
  module: 'node20',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  skipLibCheck: false,
  types: [],
  outDir: 'out',
};

/** How programs are compiled where their authors change nothing: no settings skip the declarations of packages. */
const TEMPLATES = {
  'cdk8s init': { module: 'commonjs', lib: ['es2016'], target: 'es2017' },
  'pulumi new': { module: 'nodenext', moduleResolution: 'nodenext', target: 'es2020', types: ['node'] },
  'pulumi new, before': { module: 'commonjs', moduleResolution: 'node', target: 'es2020' },
  'docs/pulumi.md': { module: 'node16', moduleResolution: 'node16', target: 'es2022' },
  'a bundler': { module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
};

/** Of what package.json says of the package, and of its types as each kind of program finds them. */
const LINTERS = [
  ['publint', 'run', '--strict'],
  ['attw', '--profile', 'node16'],
];

/** What programs are made with, of the versions that the tests of this repository use. */
const PEERS = [
  'cdk8s',
  'cdk8s-plus-30',
  'constructs',
  '@pulumi/pulumi',
  '@pulumi/kubernetes',
  '@pulumi/gcp',
  '@pulumi/aws',
  '@pulumi/azure-native',
];

/** What Pulumi compiles programs with: docs/pulumi.md names the same. */
const TYPESCRIPT = ['typescript@5', 'ts-node', '@types/node'];

const FLAGS = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** The most bytes that the command line and its dependencies may take. cdk8s alone has 36 MB. */
const MAX_SIZE_ALONE = 15 * 2 ** 20;

/** What entry points print where nothing but the command line is installed. */
const MISSING = {
  'fleetwright/constructs': "cdk8s and constructs are not installed. Run 'npm install cdk8s constructs'.",
  'fleetwright/stacks':
    "@pulumi/pulumi and @pulumi/kubernetes are not installed. Run 'npm install @pulumi/pulumi @pulumi/kubernetes'.",
  'fleetwright/stacks/gke':
    "@pulumi/pulumi, @pulumi/kubernetes, and @pulumi/gcp are not installed. Run 'npm install @pulumi/pulumi @pulumi/kubernetes @pulumi/gcp'.",
};

/** Releases of Node on which the package has to work. */
const NODES = ['20', '22'];

/** From `@example` to the next tag or the end of the comment. */
const EXAMPLE = /@example\s*\n([\s\S]*?)(?=\n\s*\*\/|\n\s*\* @)/g;

/** The name of a top-level declaration. */
const DECLARED = /^export (?:declare )?(?:abstract )?(?:class|function|interface|type|const) (\w+)/m;

/** `export { a, type B } from './file'`, and the same of types alone. */
const EXPORT = /export (type )?\{ ([^}]+) \} from '([^']+)'/g;

/** What users import, where its types are, and what its examples take for granted. */
const ENTRIES = [
  {
    name: 'fleetwright',
    folder: 'dist/src',
    given: `declare const text: string;
declare const fleet: Fleet;
declare const locate: Locate;
declare const replicas: readonly ComputedReplica[];
declare const decision: Decision;
declare const house: Renderer;
declare const modelServer: (replica: ComputedReplica) => Manifest;
${runsRules('ContractRule')}`,
  },
  {
    name: 'fleetwright/constructs',
    folder: 'dist/constructs',
    given: `import { App } from 'cdk8s';
declare const app: App;
declare const kplus: Cdk8sPlus;
declare const fleet: Fleet;
declare const deployment: ModelDeployment;
`,
  },
  {
    name: 'fleetwright/stacks',
    folder: 'dist/stacks',
    given: `import { type ComputedReplica, type Fleet, type InferenceCluster, renderCluster } from 'fleetwright';
declare const cluster: InferenceCluster;
declare const fleet: Fleet;
declare const replicas: readonly ComputedReplica[];
interface OkePlan { readonly pools: readonly DeclaredPool[] }
declare class OkeCluster extends ExistingCluster {
  constructor(name: string, plan: OkePlan, options: object);
}
declare const oke: Cloud<OkePlan>;
${runsRules('CloudRule')}`,
  },
];

/** The part of Jest with which tests run the rules of a contract. */
function runsRules(rule) {
  return `declare const test: { each(rows: readonly ${rule}[]): (name: string, body: (rule: ${rule}) => void) => void };
declare const expect: (value: unknown) => { toEqual(want: unknown): void };
`;
}

const PROGRAM = `import { App } from 'cdk8s';
import { assemble, loadManifests } from 'fleetwright';
import { Fleet, InferenceClass, InferenceCluster, ModelDeployment, type EngineProps, type props } from 'fleetwright/constructs';
import { FleetStack } from 'fleetwright/stacks';

const app = new App({ outdir: 'charts' });
const fleet = new Fleet(app, 'main');
const h100 = new InferenceClass(fleet, 'h100', {
  devices: [{ name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count: 8 }],
});
new InferenceCluster(fleet, 'us', {
  cluster: { source: 'Existing', existing: { secretRef: { name: 'us' } } },
  nodePools: [{ name: 'h100', className: h100, nodeCount: 1 }],
});
const container: props.EngineContainer = {
  name: 'engine',
  image: 'vllm/vllm-openai:v0.23.0',
  args: ['Qwen/Qwen3-8B', '--tensor-parallel-size=8'],
};
const engine: EngineProps = {
  name: 'main',
  members: [
    {
      nodeSelector: { devices: [{ name: 'gpu', count: 8, selectors: [{ cel: 'true' }] }] },
      template: { spec: { containers: [container] } },
    },
  ],
};
new ModelDeployment(fleet, 'q', { namespace: 'ml', replicas: 1, engines: [engine] });
// @ts-expect-error: the wrong type is refused by the compiler
export const wrong = () => new ModelDeployment(fleet, 'w', { replicas: 'two', engines: [engine] });
// @ts-expect-error: so is a prop that there is not
export const unknown = () => new ModelDeployment(fleet, 'u', { replica: 1, replicas: 1, engines: [engine] });
const existing = { source: 'Existing', existing: { secretRef: { name: 'eu' } } } as const;
const eu = new InferenceCluster(fleet, 'eu', { cluster: existing });
// @ts-expect-error: a cluster is no class
export const mistaken = () => new InferenceCluster(fleet, 'm', { nodePools: [{ name: 'a', className: eu }] });
const { charts, plan } = fleet.place({ lock: 'ephemeral' });
app.synth();
if (typeof FleetStack !== 'function') throw new Error('no components');
if (plan.totals.place !== 1 || charts.size !== 1) throw new Error('not placed');
if (assemble(loadManifests([]).resources).classes.length !== 0) throw new Error('not empty');
`;

try {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work], root, 'pipe'));
  write('package.json', JSON.stringify({ name: 'consumer', version: '1.0.0', private: true }));
  const tarball = join(work, filename);
  for (const linter of LINTERS) run('npx', ['--no-install', ...linter, tarball], root);
  const peers = PEERS.map((name) => `${name}@${devDependencies[name]}`);
  worksAlone(tarball);
  run('npm', ['install', ...FLAGS, tarball, ...peers], work);
  for (const type of ['commonjs', 'module']) check(type);
  run('npx', ['--no-install', 'fleetwright', '--version'], work);
  drawsMap();
  NODES.forEach(runOn);
  run('npm', ['install', ...FLAGS, ...TYPESCRIPT], work);
  Object.entries(TEMPLATES).forEach(compileLike);
  await runExamples(work);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Users of the command line get no package of programs, and programs say which they miss. */
function worksAlone(tarball) {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-alone-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'alone', version: '1.0.0', private: true }));
    run('npm', ['install', ...FLAGS, tarball], folder);
    const size = sizeOf(join(folder, 'node_modules'));
    if (size > MAX_SIZE_ALONE) throw new Error(`the command line installs ${size} bytes`);
    run('npx', ['--no-install', 'fleetwright', 'plan', join(root, 'examples/quickstart')], folder, 'pipe');
    for (const [entry, message] of Object.entries(MISSING)) {
      const { status, stderr } = spawnSync(process.execPath, ['-e', `require('${entry}')`], {
        cwd: folder,
        encoding: 'utf8',
      });
      if (status !== 1 || stderr !== `${entry}: ${message}\n`) throw new Error(`${entry} without its peers: ${stderr}`);
    }
    say(`The command line alone: ${Math.round(size / 2 ** 20)} MiB, plans, and names missing packages of programs.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The size of all files of a folder in bytes. */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** The page of the map needs files that no module imports. */
function drawsMap() {
  const path = join(work, 'map.html');
  const args = ['plan', join(root, 'examples/quickstart'), '--html', path];
  run('npx', ['--no-install', 'fleetwright', ...args], work, 'pipe');
  if (!readFileSync(path, 'utf8').includes('<script>"use strict";')) throw new Error('the map has no script');
}

function check(type) {
  const folder = join(work, type);
  mkdirSync(folder);
  write(`${type}/package.json`, JSON.stringify({ name: type, version: '1.0.0', private: true, type }));
  write(`${type}/tsconfig.json`, JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }));
  write(`${type}/main.ts`, PROGRAM);
  ENTRIES.forEach((entry, index) => write(`${type}/examples${index}.ts`, examples(entry)));
  run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', folder], folder);
}

/** Compiles what a program imports with the TypeScript and the settings of a template. */
function compileLike([name, options], index) {
  const folder = `template${index}`;
  mkdirSync(join(work, folder));
  const compilerOptions = { strict: true, types: [], ...options, noEmit: true };
  write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  // The types of Pulumi need those of Node, and take most of the time.
  const entries = ['', '/constructs', ...(options.types ? ['/stacks', '/stacks/gke'] : [])];
  write(`${folder}/main.ts`, entries.map((entry, i) => `export * as entry${i} from 'fleetwright${entry}';\n`).join(''));
  run(process.execPath, [join(work, 'node_modules/typescript/bin/tsc'), '-p', folder], work);
  say(`Compiles with the settings of ${name}.`);
}

/** Runs what was compiled on a release of Node: the one at hand, or one that npm provides. */
function runOn(major) {
  const node = process.versions.node.startsWith(`${major}.`) ? process.execPath : provided(major);
  if (!node) {
    say(`Node ${major}: SKIPPED, because npm cannot provide it here.`);
    return;
  }
  for (const type of ['commonjs', 'module']) {
    const charts = join(work, type, 'charts');
    rmSync(charts, { recursive: true, force: true });
    run(node, ['out/main.js'], join(work, type));
    if (readdirSync(charts).join() !== 'us.k8s.yaml') throw new Error(`${type} wrote ${readdirSync(charts)}`);
  }
  run(node, ['node_modules/fleetwright/dist/src/cli/main.js', '--version'], work, 'pipe');
  say(`Node ${run(node, ['--version'], work, 'pipe').trim().slice(1)}: works from CommonJS and from ES modules.`);
}

/** The path of a release of Node from the registry, if it can be had. */
function provided(major) {
  const args = ['exec', '--yes', `--package=node@${major}`, '--', 'node', '-p', 'process.execPath'];
  const { status, stdout } = spawnSync('npm', args, { cwd: work, encoding: 'utf8', timeout: 180_000 });
  return status === 0 ? stdout.trim() : undefined;
}

/** Every `@example` of what an entry point exports, each in a block of its own. */
function examples({ name, folder, given }) {
  const root = join(work, 'node_modules/fleetwright', folder);
  const exported = [...readFileSync(join(root, 'index.d.ts'), 'utf8').matchAll(EXPORT)].map(
    ([, type = '', list, file]) => ({
      type,
      names: list.match(/\b(?!type\b)\w+/g),
      list: list.match(/[\w ]*\w/g),
      file,
    }),
  );
  const blocks = exported.flatMap(({ names, file }) => examplesIn(join(root, `${file}.d.ts`), names));
  if (blocks.length < 5) throw new Error(`only ${blocks.length} examples found in ${name}`);
  const imports = exported.flatMap(({ type, list }) => list.map((one) => `${type}${one.trim()}`));
  const bodies = blocks.map((text, index) => `export function example${index}() {\n${text}\n}\n`);
  return [`import { ${imports.join(', ')} } from '${name}';`, given, ...bodies].join('\n');
}

/** The examples of some declarations of a file, those of their members too. */
function examplesIn(file, names) {
  const documented = readFileSync(file, 'utf8').split(/^(?=\/\*\*)/m);
  const wanted = documented.filter((text) => names.includes(DECLARED.exec(text)?.[1]));
  return wanted.flatMap((text) => [...text.matchAll(EXAMPLE)].map(([, one]) => one.replaceAll(/^\s*\* ?/gm, '')));
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function write(path, text) {
  writeFileSync(join(work, path), text);
}

function run(command, args, cwd, stdout = 'inherit') {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', stdout, 'inherit'] });
}
