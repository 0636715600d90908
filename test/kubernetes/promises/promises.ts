import { installCrds, storedCrds } from '../harness/crds';
import { startControlPlane } from '../harness/control-plane';
import { concurrently } from '../harness/concurrently';
import { Kubelet } from '../harness/kubelet';
import { Random } from '../harness/random';
import { learnKinds } from '../harness/resources';
import { counted, say } from '../harness/say';
import type { Client } from '../harness/client';
import type { Watch } from '../harness/watch';
import type { Options, Part, Report } from '../part';
import { describeBroken } from './broken';
import { queueReport } from './queue-report';
import { type Play, type Replay, replay } from './replay';
import { roundsOf } from './replayed-fleets';
import { shrink } from './shrink';

/**
 * Fleets that are replayed, how many of those before them are left out, and the pods that they must come to. The short
 * run has fleets of every kind, each of which finds one of the mistakes of `mutations.cjs`.
 */
const SIZES = { short: { leftOut: 14, fleets: 24, pods: 400 }, long: { leftOut: 0, fleets: 300, pods: 5_000 } };

/** Fleets at once: enough that the scheduler never waits for one. */
const WIDTH = 8;

/** Whatever the plan placed runs where the plan says, on the real scheduler, whatever happens in between. */
export const promises: Part = { name: 'promises', run };

async function run({ long, seed, fleets: asked }: Options): Promise<Report> {
  const size = SIZES[long ? 'long' : 'short'];
  const fleets = asked ?? size.fleets;
  const plane = await startControlPlane();
  const random = new Random(seed);
  const delays = () => ({ start: random.below(300), stop: random.below(500) });
  const kubelet = new Kubelet(plane.client, delays);
  let passed = false;
  try {
    await installCrds(plane.client, storedCrds());
    await learnKinds(plane.client);
    await kubelet.start();
    const first = asked === undefined ? seed + size.leftOut : seed;
    const plays = Array.from({ length: fleets }, (_, i) => first + i).flatMap(roundsOfSeed);
    let done = 0;
    const replays = await Promise.race([
      plane.failure,
      concurrently(WIDTH, plays, async (play) => {
        const result = await replay(plane.client, kubelet.pods, play);
        done++;
        if (done % 25 === 0) say(`  ${done} of ${plays.length} replays`);
        return result;
      }),
    ]);
    const report = summary(replays, asked === undefined ? size.pods : 1);
    passed = report.failures.length === 0;
    const broken = replays.find(isBroken);
    if (!broken) return report;
    const smallest = await Promise.race([plane.failure, smallestOf(broken, plane.client, kubelet.pods)]);
    return { ...report, failures: [...report.failures, smallest] };
  } finally {
    kubelet.stop();
    const logs = await plane.stop(!passed);
    if (logs) say(`  the logs of the control plane are in ${logs}`);
  }
}

function roundsOfSeed(seed: number): Play[] {
  return Array.from({ length: roundsOf(seed) }, (_, round) => ({ seed, round }));
}

function isBroken({ pending, wrong }: Replay): boolean {
  return pending.length + wrong.length > 0;
}

/** Long enough to tell for the few pods of a fleet that runs alone. */
const SHORT_PATIENCE = 10_000;

/** The smallest fleet that breaks its promises as a broken one does, in words. */
async function smallestOf(broken: Replay, client: Client, pods: Watch): Promise<string> {
  say('  looking for a smaller fleet whose promises are broken');
  const { seed, spec } = broken;
  let tries = 0;
  let last = broken;
  await shrink(spec, async (smaller) => {
    const play = { seed, spec: smaller, fleetName: `f${seed}-${++tries}`, patience: SHORT_PATIENCE };
    const result = await replay(client, pods, play);
    if (isBroken(result)) last = result;
    return isBroken(result);
  });
  return last === broken
    ? `no smaller fleet than that of seed ${seed} broke its promises in ${tries} tries`
    : `the smallest of ${tries} fleets that were made of it: ${describeBroken(last)}`;
}

function summary(replays: readonly Replay[], leastPods: number): Report {
  const total = (of: (replay: Replay) => number): number => replays.reduce((sum, one) => sum + of(one), 0);
  const made = total(({ promised }) => promised);
  const fleets = new Set(replays.map(({ seed }) => seed));
  const broken = replays.filter(isBroken);
  const unkept = total(({ pending }) => pending.reduce((sum, { missing }) => sum + missing, 0));
  const bugs = replays.flatMap(({ seed, tally }) =>
    (tally?.devicesBound ?? []).map((what) => `fleet ${seed}: refused for devices, and Kubernetes binds it: ${what}`),
  );
  const queues = queueReport(replays, leastPods > 1);
  const few = made < leastPods ? [`only ${made} pods were promised; the run needs ${leastPods}`] : [];
  const untried =
    leastPods > 1 &&
    !broken.length &&
    total(({ tally }) => tally?.devices ?? 0) * total(({ tally }) => tally?.capacity ?? 0) === 0;
  const [capacity, alone, company] = [
    total(({ tally }) => tally?.capacity ?? 0),
    total(({ tally }) => tally?.boundAlone ?? 0),
    total(({ tally }) => tally?.boundInCompany ?? 0),
  ];
  return {
    figures: [
      `promises: ${made - unkept} kept of ${made} made (${counted(fleets.size, 'fleet')}, ${total(({ disturbances }) => disturbances)} disturbances)`,
      `refused for devices: ${total(({ tally }) => tally?.devices ?? 0)} tried alone, ${bugs.length} bound`,
      `refused for a selector that fails on a device: ${total(({ tally }) => tally?.selectorErrors ?? 0)} tried alone, ${total(({ tally }) => tally?.selectorErrorsBound ?? 0)} bound`,
      `refused by the worst-case rule: ${capacity} tried, ${alone} bound on an empty pool, ${company} bound in company`,
      ...queues.figures,
      'gangs: the controller of LeaderWorkerSets is not here; its StatefulSets were made in its place',
    ],
    failures: [
      ...broken.map(describeBroken),
      ...bugs,
      ...queues.failures,
      ...few,
      ...(untried ? ['nothing that the plan refused was tried'] : []),
    ],
  };
}
