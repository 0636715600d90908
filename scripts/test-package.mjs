// `npm run test:package`: packs the package, installs it in an empty project, compiles strict programs against it
// from CommonJS and ES modules, with every example of the documentation, and runs them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** From `@example` to the next tag or the end of the comment. */
const EXAMPLE = /@example\s*\n([\s\S]*?)(?=\n\s*\*\/|\n\s*\* @)/g;

const PROGRAM = `import { App } from 'cdk8s';
import { assemble, loadManifests } from 'fleetwright';
import { Fleet, InferenceClass, InferenceCluster, ModelDeployment, type EngineProps } from 'fleetwright/constructs';

const app = new App({ outdir: 'charts' });
const fleet = new Fleet(app, 'main');
const h100 = new InferenceClass(fleet, 'h100', {
  devices: [{ name: 'gpu', driver: 'gpu.nvidia.com', deviceClassName: 'gpu.nvidia.com', count: 8 }],
});
new InferenceCluster(fleet, 'us', {
  cluster: { source: 'Existing', existing: { secretRef: { name: 'us' } } },
  nodePools: [{ name: 'h100', className: h100, nodeCount: 1 }],
});
const engine: EngineProps = {
  name: 'main',
  members: [
    {
      nodeSelector: { devices: [{ name: 'gpu', count: 8, selectors: [{ cel: 'true' }] }] },
      template: { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0' }] } },
    },
  ],
};
new ModelDeployment(fleet, 'q', { namespace: 'ml', replicas: 1, engines: [engine] });
// @ts-expect-error: the wrong type is refused by the compiler
export const wrong = () => new ModelDeployment(fleet, 'w', { replicas: 'two', engines: [engine] });
// @ts-expect-error: so is a prop that there is not
export const unknown = () => new ModelDeployment(fleet, 'u', { replica: 1, replicas: 1, engines: [engine] });
const { charts, plan } = fleet.place({ lock: 'ephemeral' });
app.synth();
if (plan.totals.place !== 1 || charts.size !== 1) throw new Error('not placed');
if (assemble(loadManifests([]).resources).classes.length !== 0) throw new Error('not empty');
`;

try {
  const [{ filename, size, unpackedSize }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', work], root, 'pipe'),
  );
  write('package.json', JSON.stringify({ name: 'consumer', version: '1.0.0', private: true }));
  const peers = ['cdk8s', 'cdk8s-plus-30', 'constructs'].map((name) => `${name}@${devDependencies[name]}`);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', ...flags, join(work, filename), ...peers], work);
  for (const type of ['commonjs', 'module']) check(type);
  run('npx', ['--no-install', 'fleetwright', '--version'], work);
  measure();
  say(`size: ${Math.round(size / 1024)} KiB packed, ${Math.round(unpackedSize / 1024)} KiB installed`);
  say('The package works from CommonJS and from ES modules.');
} finally {
  rmSync(work, { recursive: true, force: true });
}

function check(type) {
  const folder = join(work, type);
  mkdirSync(folder);
  write(`${type}/package.json`, JSON.stringify({ name: type, version: '1.0.0', private: true, type }));
  write(`${type}/tsconfig.json`, JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }));
  write(`${type}/main.ts`, PROGRAM);
  write(`${type}/examples.ts`, examples());
  run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', folder], folder);
  run(process.execPath, ['out/main.js'], folder);
  const charts = readdirSync(join(folder, 'charts'));
  if (charts.join() !== 'us.k8s.yaml') throw new Error(`${type} wrote ${charts.join()}`);
}

/** Every `@example` of the constructs, each in a block of its own. */
function examples() {
  const folder = join(work, 'node_modules/fleetwright/dist/constructs');
  const files = readdirSync(folder).filter((file) => file.endsWith('.d.ts'));
  const blocks = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(EXAMPLE)]);
  if (blocks.length < 10) throw new Error(`only ${blocks.length} examples found`);
  const names = Object.keys(constructsOf(folder)).join(', ');
  const types = 'DeviceProps, NodePoolProps, NodeSelectorProps';
  const head = `import { App } from 'cdk8s';\nimport { ${names}, type ${types.replaceAll(', ', ', type ')} } from 'fleetwright/constructs';\ndeclare const app: App;\ndeclare const fleet: Fleet;\ndeclare const deployment: ModelDeployment;\n`;
  const used = `export const used = [${names}];\n`;
  const bodies = blocks.map(
    ([, text], index) => `export function example${index}() {\n${text.replaceAll(/^\s*\* ?/gm, '')}\n}\n`,
  );
  return [head, used, ...bodies].join('\n');
}

function constructsOf(folder) {
  const text = readFileSync(join(folder, 'index.d.ts'), 'utf8');
  const names = [...text.matchAll(/export \{ ([\w, ]+) \}/g)].flatMap(([, list]) => list.split(', '));
  return Object.fromEntries(names.filter((name) => !name.startsWith('type')).map((name) => [name, true]));
}

/** How long imports take, the best of five: a figure for docs/performance.md. */
function measure() {
  for (const name of ['fleetwright', 'fleetwright/constructs']) {
    const times = Array.from({ length: 5 }, () => {
      const code = `const t = performance.now(); require('${name}'); console.log(performance.now() - t)`;
      return Number(run(process.execPath, ['-e', code], work, 'pipe'));
    });
    say(`import of ${name}: ${(Math.min(...times) / 1000).toFixed(2)} s`);
  }
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
