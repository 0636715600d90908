import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifests } from './fleet.mjs';
import { repeats, TINY } from './sizes.mjs';
import { inFolder, middle } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(root, 'dist/src/cli/main.js');
const USAGE_HOOK = join(root, 'bench/tell-usage.cjs');

/** Starts of a short command. */
const STARTS = repeats(9);

/** What node takes to start, and short commands: the middle of some processes of each. */
export function starts() {
  const commands = [
    ['-e', '0'],
    [CLI, '--help'],
    [CLI, 'plan', join(root, 'examples/quickstart')],
  ];
  return inFolder((folder) => {
    const runs = commands.map(() => []);
    // In turns, so that what else the machine does affects all alike.
    for (let i = 0; i < STARTS; i++) commands.forEach((command, which) => runs[which].push(started(command, folder)));
    return runs.map((all) => middle(all, ({ cpuMs }) => cpuMs));
  });
}

/** What `plan --json` of a fleet takes as a process, and what js-yaml takes that reads the same files. */
export function planBesideYaml(size) {
  return inFolder((folder) => {
    const fleet = join(folder, 'fleet');
    const list = join(folder, 'files.json');
    writeFileSync(list, JSON.stringify(writeFleet(fleet, manifests(size))));
    const theirs = started(['-e', READ_WITH_JS_YAML, list], folder);
    started([CLI, 'lock', fleet], folder);
    return { theirs, ours: started([CLI, 'plan', fleet, '--json'], folder) };
  });
}

const READ_WITH_JS_YAML = `
  const { readFileSync } = require('node:fs');
  const { loadAll } = require('js-yaml');
  for (const path of JSON.parse(readFileSync(process.argv[1], 'utf8'))) loadAll(readFileSync(path, 'utf8'), () => {});
`;

/** What a process took, of time, processors and memory. */
function started(args, folder) {
  const usage = join(folder, 'usage.json');
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['-r', USAGE_HOOK, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, FLEETWRIGHT_USAGE: usage },
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')}: ${stderr}`);
  return { ms: performance.now() - start, ...JSON.parse(readFileSync(usage, 'utf8')) };
}

/** The parts of a fleet that is split. */
const PARTS = TINY ? 2 : 10;

/**
 * What `plan --json` takes for all parts of a split fleet together, each with the summaries of the others, and for the
 * same number of fleets that are no parts.
 */
export function planParts(size) {
  return inFolder((folder) => {
    const fleet = join(folder, 'fleet');
    const settings = (part, more) =>
      writeFileSync(
        join(fleet, 'settings.yaml'),
        `apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: ${part} }\nspec: { ${more} }\n`,
      );
    const names = Array.from({ length: PARTS }, (_, i) => `part-${i}`);
    const plan = (...flags) => started([CLI, 'plan', fleet, '--json', '--allow-outside', ...flags], folder);
    mkdirSync(join(folder, 'summaries'));
    for (const name of names) {
      writePart(fleet, size, name);
      settings(name, '');
      started([CLI, 'lock', fleet], folder);
      renameSync(join(fleet, 'fleet.lock.yaml'), join(folder, `${name}.lock.yaml`));
      plan('--summary', join(folder, 'summaries', `${name}.json`), '--lock', join(folder, `${name}.lock.yaml`));
    }
    const runs = names.map((name) => {
      writePart(fleet, size, name);
      const lock = ['--lock', join(folder, `${name}.lock.yaml`)];
      settings(name, '');
      const single = plan(...lock);
      settings(name, 'otherParts: [../summaries/*.json]');
      return { single, part: plan(...lock) };
    });
    return { singles: total(runs.map(({ single }) => single)), parts: total(runs.map(({ part }) => part)) };
  });
}

/** What `plan --against` takes where the engines of all deployments get another version, and what `synth` of the fleet takes. */
export function upgradeBesideSynth(size) {
  return inFolder((folder) => {
    const fleet = join(folder, 'fleet');
    const git = (...args) =>
      execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: folder });
    const commit = () =>
      [
        ['add', 'fleet'],
        ['commit', '--quiet', '--message=bench'],
      ].forEach((args) => git(...args));
    writeFleet(fleet, manifests(size));
    started([CLI, 'lock', fleet], folder);
    git('init', '--quiet', '--initial-branch=main');
    commit();
    git('checkout', '--quiet', '-b', 'upgrade');
    writeFleet(
      fleet,
      manifests(size).map(({ path, text }) => ({ path, text: text.replaceAll(':v0.11.0', ':v0.12.0') })),
    );
    commit();
    return {
      synth: started([CLI, 'synth', fleet, '-o', join(folder, 'out')], folder),
      compared: started([CLI, 'plan', fleet, '--against', 'main', '--markdown'], folder),
    };
  });
}

/** Writes a fleet whose clusters have the name of a part in front. */
function writePart(folder, size, part) {
  const renamed = manifests(size).map(({ path, text }) => {
    return { path, text: text.replaceAll(/cluster-(?=\d)/g, `${part}-cluster-`) };
  });
  writeFleet(folder, renamed);
}

/** Writes files into a folder, and returns their paths. */
function writeFleet(folder, files) {
  return files.map(({ path, text }) => {
    const at = join(folder, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    return at;
  });
}

function total(runs) {
  const sum = (of) => runs.reduce((all, one) => all + one[of], 0);
  return { ms: sum('ms'), cpuMs: sum('cpuMs'), memoryMiB: Math.max(...runs.map((one) => one.memoryMiB)) };
}
