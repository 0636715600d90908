// A part of `npm run test:package`: runs the program of every example as its README says, from a copy in a folder that
// installed the package, and those of cdk8s and one of Pulumi in the repository too. Pulumi programs run in the language
// host of Pulumi, which compiles them with its own set-up of ts-node, against the small engine of the tests. The host
// would check the types of each program with those of all clouds: those of the repository are checked with its sources,
// and those of the copies together.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import engine from '../test/stacks/engine.cjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = join(root, 'examples');
const CONFIG = JSON.parse(readFileSync(join(root, 'test/stacks/example-programs.json'), 'utf8'));

/**
 * Settings of a TypeScript folder, and what its program comes to: the resources of the example, or this text. The host
 * checks the types of the program, but for those of settings with which all types were checked before.
 */
const FOLDERS = [
  { about: 'of the examples', options: compilerOptionsOf('existing'), transpileOnly: true },
  {
    about: 'of the usual CommonJS',
    options: { module: 'commonjs', moduleResolution: 'node', strict: true },
    transpileOnly: true,
  },
  { about: 'without a tsconfig.json' },
  { about: 'with ES modules', type: 'module', options: { module: 'node16', moduleResolution: 'node16' } },
  { about: 'without ts-node', without: ['ts-node'], options: { module: 'node16', moduleResolution: 'node16' } },
  {
    about: 'without typescript',
    without: ['ts-node', 'typescript'],
    want: 'needs-typescript-5-so-run-npm-install-typescript@5-ts-node',
  },
];

/**
 * The example of Pulumi that runs in the repository too, where all find the built package in the same way. The tests of
 * stacks run each there from the sources.
 */
const IN_REPOSITORY = 'existing';

/** Runs all examples. `installed` is a folder whose node_modules has the package and what it needs. */
export async function runExamples(installed) {
  const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'main.ts')));
  for (const name of examples) cpSync(join(EXAMPLES, name), join(installed, name), { recursive: true });
  checkTypes(examples, installed);
  for (const example of examples) {
    const copy = join(installed, example);
    if (existsSync(join(copy, 'Pulumi.yaml'))) await runPulumiExample(example, copy);
    else runCdk8sExample(example, copy);
  }
  for (const folder of FOLDERS) await runFolder(folder, installed);
}

/** Compiles the copies of all examples, those of the same options together. */
function checkTypes(examples, installed) {
  const byOptions = new Map();
  for (const name of examples) {
    const options = JSON.stringify(compilerOptionsOf(name));
    byOptions.set(options, [...(byOptions.get(options) ?? []), `${name}/*.ts`]);
  }
  for (const [options, include] of byOptions) {
    const compilerOptions = { ...JSON.parse(options), noEmit: true };
    writeFileSync(join(installed, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    runShell('npx --no-install tsc >&2', installed);
  }
  rmSync(join(installed, 'tsconfig.json'));
  say('The types of all examples are checked from copies.');
}

function compilerOptionsOf(example) {
  return JSON.parse(readFileSync(join(EXAMPLES, example, 'tsconfig.json'), 'utf8')).compilerOptions;
}

async function runPulumiExample(example, copy) {
  const want = countResources(readFileSync(join(copy, 'resources.txt'), 'utf8'));
  const inRepository = example === IN_REPOSITORY;
  for (const folder of inRepository ? [join(EXAMPLES, example), copy] : [copy]) {
    const { code, said, registered } = await preview(folder, example, { transpileOnly: true });
    // No cluster is there to be asked about waves.
    const faults = said.filter((line) => !line.includes('whether waves would block is unknown'));
    if (code !== 0 || faults.length > 0) throw new Error(`${folder} ends with ${code}: ${faults.join('\n')}`);
    if (registered.length !== want) throw new Error(`${folder} registers ${registered.length} of ${want} resources`);
  }
  say(`examples/${example}: previewed ${inRepository ? 'in the repository and ' : ''}from a copy.`);
}

/** The number of resources in such a file, whose other lines say what a resource comes after. */
function countResources(text) {
  return text.split('\n').filter((line) => /^ *(?!after )\S+:\S+ /.test(line)).length;
}

function runCdk8sExample(example, copy) {
  const { app } = /^app: (?<app>.*)$/m.exec(readFileSync(join(copy, 'cdk8s.yaml'), 'utf8')).groups;
  const charts = join(copy, 'charts');
  runShell(app, join(EXAMPLES, example), { CDK8S_OUTDIR: charts });
  const want = readdirSync(charts);
  rmSync(charts, { recursive: true });
  // The types were checked.
  runShell('npx --no-install tsc --noCheck && node main.js', copy, { CDK8S_OUTDIR: charts });
  if (want.length === 0 || readdirSync(charts).join() !== want.join()) throw new Error(`${copy} writes other files`);
  say(`examples/${example}: ran in the repository and from a copy.`);
}

function runShell(command, cwd, env) {
  execFileSync('sh', ['-c', command], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs an example in a folder that is set up in another way. */
async function runFolder({ about, options, type = 'commonjs', without = [], transpileOnly, want }, installed) {
  const folder = join(installed, 'existing');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'existing', version: '1.0.0', type }));
  rmSync(join(folder, 'tsconfig.json'), { force: true });
  if (options) writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  const moves = without.map((name) => [join(installed, 'node_modules', name), join(installed, `without-${name}`)]);
  for (const [from, to] of moves) renameSync(from, to);
  const { code, said } = await preview(folder, 'existing', { transpileOnly });
  for (const [from, to] of moves) renameSync(to, from);
  const text = said.join('\n');
  if (want === undefined ? code !== 0 : !text.includes(want)) throw new Error(`a folder ${about}: ${text}`);
  say(`A folder ${about}: ${want === undefined ? 'previewed' : 'refused, with what it lacks'}.`);
}

function preview(folder, example, how = {}) {
  const program = join(folder, 'main.ts');
  const config = CONFIG[example] ?? {};
  const options = { root: folder, project: example, config, preview: true, typescript: true, known: isKnown, ...how };
  return engine.run({ program, flags: FLAGS, ...options });
}

/** The SDK takes a stack trace of every promise: with the sources that ts-node looks up, a sixth of the time. */
const FLAGS = ['--stack-trace-limit=0'];

/** What clouds make is not known before an update. */
function isKnown(type) {
  return !/^(aws|gcp):/.test(type);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
