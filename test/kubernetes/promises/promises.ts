import { startControlPlane } from '../harness/control-plane';
import { concurrently } from '../harness/concurrently';
import { Kubelet } from '../harness/kubelet';
import { Random } from '../harness/random';
import { counted, say } from '../harness/say';
import type { Options, Part, Report } from '../part';
import { describeBroken } from './broken';
import { type Replay, replay } from './replay';

/** Fleets that are replayed, and the pods that they must come to. */
const SIZES = { short: { fleets: 100, pods: 1_500 }, long: { fleets: 300, pods: 5_000 } };

/** Fleets at once: enough that the scheduler never waits for one. */
const WIDTH = 6;

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
    await kubelet.start();
    const seeds = Array.from({ length: fleets }, (_, i) => seed + i);
    let done = 0;
    const replays = await Promise.race([
      plane.failure,
      concurrently(WIDTH, seeds, async (one) => {
        const result = await replay(plane.client, kubelet.pods, one);
        done++;
        if (done % 25 === 0) say(`  ${done} of ${fleets} fleets`);
        return result;
      }),
    ]);
    const report = summary(replays, asked === undefined ? size.pods : 0);
    passed = report.failures.length === 0;
    return report;
  } finally {
    kubelet.stop();
    const logs = await plane.stop(!passed);
    if (logs) say(`  the logs of the control plane are in ${logs}`);
  }
}

function summary(replays: readonly Replay[], leastPods: number): Report {
  const total = (of: (replay: Replay) => number): number => replays.reduce((sum, one) => sum + of(one), 0);
  const made = total(({ promised }) => promised);
  const broken = replays.filter(({ pending, wrong }) => pending.length + wrong.length > 0);
  const unkept = total(({ pending }) => pending.reduce((sum, { missing }) => sum + missing, 0));
  const bugs = replays.flatMap(({ seed, tally }) =>
    (tally?.devicesBound ?? []).map(
      (what) => `fleet ${seed}: refused for devices, and Kubernetes binds it: ${what}`,
    ),
  );
  const few = made < leastPods ? [`only ${made} pods were promised; the run needs ${leastPods}`] : [];
  const [capacity, alone, company] = [
    total(({ tally }) => tally?.capacity ?? 0),
    total(({ tally }) => tally?.boundAlone ?? 0),
    total(({ tally }) => tally?.boundInCompany ?? 0),
  ];
  return {
    figures: [
      `promises: ${made - unkept} kept of ${made} made (${counted(replays.length, 'fleet')}, ${total(({ disturbances }) => disturbances)} disturbances)`,
      `refused for devices: ${total(({ tally }) => tally?.devices ?? 0)} tried alone, ${bugs.length} bound`,
      `refused for a selector that fails on a device: ${total(({ tally }) => tally?.selectorErrors ?? 0)} tried alone, ${total(({ tally }) => tally?.selectorErrorsBound ?? 0)} bound`,
      `refused by the worst-case rule: ${capacity} tried, ${alone} bound on an empty pool, ${company} bound in company`,
      'gangs: the controller of LeaderWorkerSets is not here; its StatefulSets were made in its place',
    ],
    failures: [...broken.map(describeBroken), ...bugs, ...few],
  };
}
