import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifests } from './fleet.mjs';
import { routedFleet } from './routed-fleet.mjs';

const require = createRequire(import.meta.url);
const src = new URL('../src/', import.meta.url).pathname;
const { loadManifests } = require(`${src}manifest/load-manifests.ts`);
const { assemble } = require(`${src}fleet/fleet.ts`);
const { compileFleet: compile } = require(`${src}plan/compile-fleet.ts`);
const { schedule } = require(`${src}scheduler/schedule.ts`);
const { explainDeployment: explain } = require(`${src}scheduler/explain-deployment.ts`);
const { formatExplanation } = require(`${src}report/explain/deployment-explanation.ts`);
const { writeTerminal } = require(`${src}report/document/write-terminal.ts`);
const { formatLock } = require(`${src}scheduler/lock/lock.ts`);
const { EMPTY_LOCK } = require(`${src}scheduler/lock/lock.ts`);
const { decide, placeFleet } = require(`${src}plan/decide.ts`);
const { computePlacedCost: placedCost } = require(`${src}plan/plan-cost.ts`);
const { toPlanFields: planFields } = require(`${src}cli/json-documents.ts`);
const { diffStates } = require(`${src}diff/fleet-diff.ts`);
const { survive } = require(`${src}analyze/survive/survive.ts`);
const { parseLock } = require(`${src}scheduler/lock/parse-lock.ts`);

/** Works in a temporary folder. */
export function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How long something takes, and what it yields: milliseconds by the clock, and of a processor. */
export function timed(work) {
  const start = performance.now();
  const used = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000, value };
}

/** The run in the middle of some runs, after others that warm the process. */
export function warm(work, runs) {
  return middle(Array.from({ length: 2 * runs }, () => timed(work)).slice(runs));
}

/** The run in the middle of some, by a figure of each. */
export function middle(runs, figure = ({ ms }) => ms) {
  return runs.sort((a, b) => figure(a) - figure(b))[Math.floor(runs.length / 2)];
}

/**
 * Reads the manifests of a fleet.
 *
 * @param earlier what was read of the fleet before. Default: nothing
 */
export function read(size, earlier) {
  return readFiles(manifests(size), earlier);
}

/** Reads the manifests of a fleet with routes. */
export function readRouted(size) {
  return readFiles([{ path: 'fleet.yaml', text: routedFleet(size) }]);
}

function readFiles(files, earlier) {
  const { ms, cpuMs, value } = timed(() => {
    const { resources, locate, problems, readings } = loadManifests(files, undefined, undefined, earlier?.readings);
    if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 3)));
    return { fleet: assemble(resources), locate, resources, readings };
  });
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  return { ms, cpuMs, bytes, ...value };
}

/** Compiles and schedules a fleet: everything from plain data to placements with reasons. */
export function place({ fleet, locate }, previous = []) {
  const model = compile(fleet, locate);
  return { model, ...schedule(model, previous) };
}

/** Reads a lock of these placements again. */
export function throughLock(placements) {
  const text = formatLock({ placements, unplaced: new Map(), shapes: [] });
  return { text, parse: parse(text) };
}

/** Reads a lock. */
export function parse(text) {
  return timed(() => parseLock(text, 'fleet.lock.yaml'));
}

/** The text of a lock. */
export function textOf(lock) {
  return formatLock(lock);
}

/** Explains a deployment that fits nowhere, as the command does: the reasons, then the text. */
export function explainNowhere({ model, ...result }) {
  const deployment = model.deployments.find(({ id }) => id === 'ml/nowhere');
  const { ms, cpuMs, value } = timed(() => {
    const explanation = explain({ model, schedule: result, given: [] }, deployment);
    return writeTerminal(formatExplanation(explanation, undefined));
  });
  return { ms, cpuMs, lines: value.split('\n').length };
}

/** The lock of a fleet that was never placed. */
export function lockOf({ fleet, locate }) {
  return placeFleet(fleet, locate, EMPTY_LOCK).lock;
}

/** Decides a fleet that was locked. */
export function plan({ fleet, locate }, locked) {
  return timed(() => decide(fleet, locate, locked));
}

/** Everything that `plan --against --json` does after it has decided the fleet and read the state before. */
export function compare(before, after, { decision, locked }) {
  return timed(() => {
    const placed = placeFleet(before.fleet, before.locate, locked);
    const { resources, locate } = before;
    const earlier = { name: 'main', resources, locate, decision: placed, cost: placedCost(placed) };
    const { cost } = decision.plan;
    const later = { name: '.', resources: after.resources, locate: after.locate, decision, cost };
    return JSON.stringify(planFields(decision, diffStates(earlier, later, decision))).length;
  });
}

/** Everything that `survive --json` does after reading, for a fleet that was locked. */
export function surviveLosses({ fleet, locate }, locked) {
  return timed(() => JSON.stringify(survive(decide(fleet, locate, locked))).length);
}
