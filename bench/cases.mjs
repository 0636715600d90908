import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { planBesideYaml, planParts, starts, upgradeBesideSynth } from './commands.mjs';
import { appSynth, decided, files, kustomize, objects, texts, unchangedFiles } from './render.mjs';
import { HALF, LARGE, QUICKSTART, RENDERED, repeats, ROUTED, SMALL, STACK, TINY } from './sizes.mjs';
import { inStackFleet, plainShare, programShare, synthShare } from './stack-fleet.mjs';
import {
  compare,
  explainNowhere,
  lockOf,
  middle,
  parse,
  place,
  plan,
  read,
  readRouted,
  surviveLosses,
  throughLock,
  timed,
  warm,
} from './steps.mjs';

const LAST_OF_STACK = `cluster-${String(STACK.clusters - 1).padStart(3, '0')}`;

/** Runs of a comparison. */
const RUNS = repeats(5);

/**
 * What is measured, each in a process of its own. A case yields rows: a size, times, and the goal where there is
 * one. Rows of a series are compared with the row before.
 */
export const CASES = {
  small() {
    const input = read(SMALL);
    const run = warm(() => place(input), repeats(50));
    return [row('schedule, warm', SMALL, run, { goalMs: 10 })];
  },

  'from nothing'() {
    const input = read(LARGE);
    const run = timed(() => place(input));
    return [
      row('schedule from an empty lock', LARGE, run, {
        readMs: input.ms,
        goalMs: 10_000,
        placed: run.value.placements.length,
      }),
      // The ratio is to scheduling.
      row('read the manifests', LARGE, input, { goalMs: 2000, ratio: input.cpuMs / run.cpuMs, bytes: input.bytes }),
    ];
  },

  'one edit'() {
    const before = place(read(LARGE)).placements;
    const { text, parse } = throughLock(before);
    const input = read({ ...LARGE, edited: true });
    const run = timed(() => place(input, parse.value.placements));
    return [
      row('read the lock', LARGE, parse, { bytes: text.length }),
      row('schedule from a full lock after one edit', LARGE, run, {
        readMs: input.ms,
        goalMs: 2000,
        moved: run.value.evictions.length,
      }),
    ];
  },

  /** Whole processes. Ratios are to the start of node, and to js-yaml, which reads the same files and does no more. */
  commands() {
    const [node, help, plan] = starts();
    const { theirs, ours } = planBesideYaml(LARGE);
    const none = { clusters: 0, pools: 0, deployments: 0, replicas: 0 };
    return [
      whole('start of node', none, node, {}),
      whole('fleetwright --help', none, help, { goalMs: 120, ratio: help.cpuMs / node.cpuMs }),
      whole('fleetwright plan of the quickstart', QUICKSTART, plan, {
        goalMs: 250,
        ratio: plan.cpuMs / node.cpuMs,
        goalRatio: 4,
      }),
      whole('js-yaml reads the files', LARGE, theirs, {}),
      whole('fleetwright plan --json', LARGE, ours, {
        ratio: ours.cpuMs / theirs.cpuMs,
        goalRatio: 3 + 2000 / theirs.cpuMs,
        goalMs: 5000,
        goalMiB: 800,
      }),
    ];
  },

  /** The ratio is to as many fleets of the same size that are no parts. */
  parts() {
    const { singles, parts } = planParts(LARGE);
    return [
      whole('plan --json of ten fleets', LARGE, singles, {}),
      whole('plan --json of ten parts', LARGE, parts, { ratio: parts.cpuMs / singles.cpuMs, goalRatio: 1.1 }),
    ];
  },

  /** As for a user, each step is the first of its kind in its process, and the lock is a file. */
  'one edit against the state before'() {
    const { value: locked } = parse(elsewhere('print-lock.mjs'));
    const after = read({ ...LARGE, edited: true });
    const decided = plan(after, locked);
    const before = read(LARGE, after);
    const compared = compare(before, after, { decision: decided.value, locked });
    const sum = { ms: before.ms + compared.ms, cpuMs: before.cpuMs + compared.cpuMs };
    return [
      row('read the changed fleet', LARGE, after, { bytes: after.bytes }),
      row('plan of one edit', LARGE, decided, { readMs: after.ms }),
      row('read the state before', LARGE, before, { readMs: after.ms, bytes: before.bytes }),
      row('decide it and compare, as JSON', LARGE, compared, { readMs: after.ms, bytes: compared.value }),
      row('comparison', LARGE, sum, { readMs: after.ms, ratio: sum.cpuMs / (after.cpuMs + decided.cpuMs) }),
    ];
  },

  /** Comparing to reading and deciding the changed fleet. What the first run of code takes differs from process to process. */
  comparison() {
    const runs = Array.from({ length: RUNS }, () => lastRowOf('one edit against the state before'));
    const { ms, cpuMs, memoryMiB, ratio } = middle(runs, (run) => run.ratio);
    const what = RUNS === 1 ? 'comparison by plan' : `comparison by plan, the middle of ${RUNS} runs`;
    return [row(what, LARGE, { ms, cpuMs }, { memoryMiB, ratio, goalRatio: 1 })];
  },

  /** Whole processes. The comparison renders both states, so that it takes about twice as long. */
  'an upgrade of all deployments'() {
    const { synth, compared } = upgradeBesideSynth(RENDERED);
    return [
      whole('synth to an empty folder', RENDERED, synth, {}),
      whole('plan --against of an upgrade', RENDERED, compared, { ratio: compared.cpuMs / synth.cpuMs, goalRatio: 3 }),
    ];
  },

  /** What a plan takes more when it sizes every engine: five models at 32 lengths, on each kind of node. */
  models() {
    const runs = Array.from({ length: RUNS }, () => {
      const sized = planOf({ ...LARGE, models: 'many' });
      const unsized = planOf({ ...LARGE, models: 'none' });
      return { sized, unsized, ratio: sized.cpuMs / unsized.cpuMs };
    });
    const { sized, unsized, ratio } = middle(runs, (run) => run.ratio);
    return [
      row('plan without models that are known', LARGE, unsized, { memoryMiB: unsized.memoryMiB }),
      row('plan that sizes all engines', LARGE, sized, {
        memoryMiB: sized.memoryMiB,
        ratio,
        goalRatio: 1.3,
      }),
    ];
  },

  /** What reading and planning take more when every deployment names a model in place of engines. */
  'models in place of engines'() {
    const runs = Array.from({ length: RUNS }, () => {
      const chosen = planOf({ ...LARGE, models: 'chosen' });
      const written = planOf({ ...LARGE, models: 'none' });
      return { chosen, written, ratio: wholeOf(chosen).cpuMs / wholeOf(written).cpuMs };
    });
    const { chosen, written, ratio } = middle(runs, (run) => run.ratio);
    return [
      row('decide with engines', LARGE, written, { memoryMiB: written.memoryMiB }),
      row('decide with a model in place of engines', LARGE, chosen, { ratio: chosen.cpuMs / written.cpuMs }),
      row('read and decide with engines', LARGE, wholeOf(written), {}),
      row('read and decide with a model in place of engines', LARGE, wholeOf(chosen), {
        memoryMiB: chosen.memoryMiB,
        ratio,
        goalRatio: 1.3,
      }),
    ];
  },

  'too small a fleet'() {
    const size = { ...LARGE, nodes: 4 };
    const input = read(size);
    const run = timed(() => place(input));
    return [
      row('schedule where a part does not fit', size, run, {
        readMs: input.ms,
        placed: run.value.placements.length,
      }),
    ];
  },

  'fits nowhere'() {
    const size = { ...LARGE, nowhere: true };
    const run = explainNowhere(place(read(size)));
    return [row('explain a deployment that fits nowhere', size, run, { goalMs: 1000, lines: run.lines })];
  },

  survive() {
    const input = readRouted(ROUTED);
    const run = surviveLosses(input, lockOf(input));
    return [
      row('survive the loss of each cluster, as JSON', ROUTED, run, {
        readMs: input.ms,
        goalMs: 3000,
        bytes: run.value,
      }),
    ];
  },

  'to objects'() {
    const decision = decided(read(RENDERED));
    const run = objects(decision);
    const made = run.value.reduce((sum, { manifests }) => sum + manifests.length, 0);
    return [row('render to objects', RENDERED, run, { goalMs: 2000, objects: made })];
  },

  'to files'() {
    const run = files(decided(read(RENDERED)));
    return [row('render to files', RENDERED, run, { goalMs: 3000, files: run.value })];
  },

  /** The same where nothing changed since the files were written: the time of the second run alone. */
  'to unchanged files'() {
    const run = unchangedFiles(decided(read(RENDERED)));
    return [row('find that files are unchanged', RENDERED, run, { files: run.value })];
  },

  /** The ratios are to the first row. */
  'beside cdk8s'() {
    const decision = decided(read(RENDERED));
    const theirs = appSynth(objects(decision).value);
    const built = kustomize(decision);
    const beside = (run) => ({ files: run.value, ratio: run.cpuMs / theirs.cpuMs });
    const [texted, written] = [texts(decision), files(decision)];
    return [
      row('cdk8s App.synth of the same objects', RENDERED, theirs, { files: theirs.value }),
      ...(built ? [row('kubectl kustomize of the same files', RENDERED, built, beside(built))] : []),
      row('render to texts', RENDERED, texted, beside(texted)),
      row('render to files', RENDERED, written, beside(written)),
    ];
  },

  /**
   * The program alone, without the engine. The rows of the SDK register the same resources with nothing of ours, and
   * ratios are to these.
   */
  'Pulumi preview'() {
    return inStackFleet(STACK, async (fleet) => {
      const synth = synthShare(fleet);
      return [
        row('synth, for comparison', STACK, synth, { memoryMiB: synth.memoryMiB }),
        ...(await previewBesidePlain(fleet, undefined, { goalMs: 3000, goalMiB: 400 })),
        ...(await previewBesidePlain(fleet, LAST_OF_STACK, { goalMs: 1000 })),
      ];
    });
  },

  'more clusters': () => series('clusters', [250, 500, 1000], 2.2),
  'more deployments': () => series('deployments', [2500, 5000, 10_000], 2.2),
  'more replicas': () => series('replicas', [5, 10, 20], 2.2),
  'more pools': () => series('pools', [10, 20, 40], 1.2),
};

/** The preview of a stack, for all clusters or one, next to the SDK alone. */
async function previewBesidePlain(fleet, cluster, goals) {
  const { registered, resources, ...program } = await programShare(fleet, { preview: true, cluster });
  const plain = await plainShare(registered, { preview: true });
  const of = cluster === undefined ? '' : ' of one cluster';
  const more = { resources, memoryMiB: program.memoryMiB, ratio: program.cpuMs / plain.cpuMs };
  return [
    row(`the same resources${of} with the SDK alone`, STACK, plain, { memoryMiB: plain.memoryMiB }),
    row(`program of a preview${of}`, STACK, program, { ...more, ...goals }),
  ];
}

/** A plan of a locked fleet, as the first of a process of its own. */
function planOf(size) {
  return JSON.parse(elsewhere('print-plan.mjs', JSON.stringify(size)));
}

/** What reading and planning take together. */
function wholeOf({ ms, cpuMs, readMs, readCpuMs }) {
  return { ms: ms + readMs, cpuMs: cpuMs + readCpuMs };
}

/** The last row of a case, run in a process of its own. */
function lastRowOf(name) {
  return JSON.parse(elsewhere('run-case.mjs', name)).at(-1);
}

/** What a script of this folder prints. */
function elsewhere(script, ...words) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return execFileSync(process.execPath, [...process.execArgv, path, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
}

/** One dimension doubled while the others stay the same. The least of five runs by processor time: others use the machine too. */
function series(dimension, values, goalRatio) {
  const warmUp = read({ ...HALF, clusters: 100, deployments: 1000 });
  for (let i = 0; i < 5; i++) place(warmUp);
  const rows = [];
  for (const value of values) {
    const size = { ...HALF, [dimension]: TINY ? value / values[0] : value };
    const input = read(size);
    const runs = Array.from({ length: 1 + RUNS }, () => timed(() => place(input))).slice(1);
    const [run] = runs.sort((a, b) => a.cpuMs - b.cpuMs);
    const last = rows.at(-1);
    const ratio = last && run.cpuMs / last.cpuMs;
    rows.push(row(`${value} ${dimension}`, size, run, { readMs: input.ms, ratio, goalRatio }));
  }
  return rows;
}

/** A row of a process of its own, whose memory counts. */
function whole(what, size, { memoryMiB, ...run }, more) {
  return row(what, size, run, { memoryMiB, ...more });
}

function row(what, size, { ms, cpuMs }, more) {
  return { what, size, ms, cpuMs, ...more };
}
