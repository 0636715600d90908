import { readFileSync } from 'node:fs';
import { startControlPlane } from '../harness/control-plane';
import { sleep } from '../harness/concurrently';
import { Kubelet } from '../harness/kubelet';
import { Random } from '../harness/random';
import { say } from '../harness/say';
import { Desk } from '../live/desk';
import type { Options, Part, Report } from '../part';
import { PARALLEL, type Tags } from './fleet';
import { GroupController } from './group-controller';
import { Stack } from './stack';
import { Witness } from './witness';

/** Updates of a run. */
const UPDATES = { short: 20, long: 200 };

/** Never more replicas of a deployment are down in an update with waves than the plan says. */
export const waves: Part = { name: 'waves', waits: true, run };

async function run({ long, seed }: Options): Promise<Report> {
  const plane = await startControlPlane();
  const random = new Random(seed);
  const kubelet = new Kubelet(plane.client, () => ({ start: 200 + random.below(2500), stop: random.below(600) }));
  const groups = new GroupController(plane.client);
  const desk = new Desk({});
  try {
    const stack = new Stack(plane.client, desk, readFileSync(plane.kubeconfig, 'utf8'));
    await stack.furnish();
    await kubelet.start();
    groups.start();
    const witness = new Witness(kubelet.pods, stack);
    const trial = tryUpdates({ stack, witness, random }, UPDATES[long ? 'long' : 'short']);
    return await Promise.race([plane.failure, trial]);
  } finally {
    groups.stop();
    kubelet.stop();
    desk.remove();
    await plane.stop();
  }
}

interface Trial {
  readonly stack: Stack;
  readonly witness: Witness;
  readonly random: Random;
}

async function tryUpdates({ stack, witness, random }: Trial, updates: number): Promise<Report> {
  const names = Object.keys(PARALLEL);
  const counters = new Map(names.map((name) => [name, 0]));
  const tagsNow = (): Tags => Object.fromEntries(counters);
  const failures: string[] = [];
  const counts = { refreshes: 0, atOnce: 0, replaced: 0 };
  await stack.update(tagsNow(), true);
  await witness.allReady(tagsNow());
  for (let i = 1; i <= updates; i++) {
    const changed = names.filter(() => random.percent(45));
    for (const name of changed) counters.set(name, (counters.get(name) ?? 0) + 1);
    const tags = tagsNow();
    const inWaves = !random.percent(30);
    const refresh = random.percent(50);
    if (refresh) await stack.refresh();
    witness.begin(inWaves);
    await stack.update(tags, inWaves);
    counts.refreshes += refresh ? 1 : 0;
    counts.atOnce += inWaves ? 0 : 1;
    counts.replaced += changed.length;
    const title = `update ${i} of ${changed.join()}, ${inWaves ? 'in waves' : 'at once'}, refreshed: ${refresh}`;
    if (inWaves) {
      failures.push(...witness.tooMany.map((one) => `${title}: ${one}`));
      failures.push(...witness.notReady(changed, tags).map((one) => `${title}: it ended before ${one} was ready`));
    }
    // At times the next update comes while pods still start.
    await sleep(random.below(1500));
    if (i % 10 === 0) say(`  ${i} of ${updates} updates`);
  }
  const { refreshes, atOnce, replaced } = counts;
  const how = `${refreshes} after a refresh, ${atOnce} at once, ${replaced} deployments replaced`;
  return { figures: [`waves: ${updates} updates, ${how}, most down: ${witness.most}`], failures };
}
