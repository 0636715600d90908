import { sleep } from '../../kubernetes/harness/concurrently';
import { ok } from '../../kubernetes/harness/client';
import { pathOf } from '../../kubernetes/harness/resources';
import { until } from '../../kubernetes/harness/until';
import { say } from '../../kubernetes/harness/say';
import { KEDA } from '../harness/keda';
import type { Part } from '../main';
import { BOUNDS, type DeploymentName, THRESHOLD } from './fleet';
import { type Site, withSite } from './site';

/** KEDA moves copies within their bounds as the emitted objects say, unchanged. */
export const load: Part = {
  name: 'keda',
  run: () => withSite(tryRows),
};

const IMAGE = 'v0.23.0';

/** Longer than KEDA and the HorizontalPodAutoscaler need to see a change. */
const SETTLE = 50_000;

const NAMES = Object.keys(BOUNDS) as DeploymentName[];

/** All copies of all. */
const MOST: Counts = { busy: BOUNDS.busy.max, quiet: BOUNDS.quiet.max, gang: BOUNDS.gang.max };

/** What scales, and what it scales. */
const SCALED: ReadonlySet<string> = new Set(['Deployment', 'LeaderWorkerSet', 'ScaledObject']);

type Row = (site: Site) => Promise<string | undefined>;

/** Each continues where the row before it ends. */
const ROWS: Readonly<Record<string, Row>> = {
  'a new workload has its fewest copies': async (site) => {
    for (const name of NAMES) site.engines.load(name, 0);
    await site.apply(site.manifests(IMAGE));
    return reach(site, { busy: 1, quiet: 1, gang: 1 });
  },
  'load raises the copies to what it needs, and those without load stay': async (site) => {
    site.engines.load('busy', THRESHOLD * 3);
    return reach(site, { busy: 3, quiet: 1, gang: 1 });
  },
  'load raises the gangs of a LeaderWorkerSet through its scale subresource': async (site) => {
    site.engines.load('gang', THRESHOLD * 2);
    return reach(site, { busy: 3, quiet: 1, gang: 2 });
  },
  'load above the upper bound stops at it, and all copies of all engines are bound at once': async (site) => {
    for (const name of NAMES) site.engines.load(name, THRESHOLD * 50);
    return (await reach(site, MOST)) ?? stay(site, MOST);
  },
  'a rollout during a scale keeps the number': async (site) => {
    await site.apply(site.manifests('v0.24.0'));
    return (await stay(site, MOST, 'serving')) ?? reach(site, MOST);
  },
  'metrics that end remove no copy': async (site) => {
    site.engines.reachable = false;
    for (const name of NAMES) site.engines.load(name, 0);
    const wrong = await stay(site, MOST);
    site.engines.reachable = true;
    return wrong;
  },
  'copies that the load does not need are removed': async (site) => {
    site.engines.load('busy', THRESHOLD * 50);
    site.engines.load('quiet', THRESHOLD * 2);
    site.engines.load('gang', THRESHOLD * 3);
    return reach(site, { busy: 5, quiet: 2, gang: 3 });
  },
  'a paused deployment does not scale': async (site) => {
    const paused = site.manifests('v0.24.0').map((object) => {
      if (object.kind !== 'ScaledObject' || !object.metadata.name.startsWith('busy')) return object;
      const metadata = { ...object.metadata, annotations: { 'autoscaling.keda.sh/paused': 'true' } };
      return { ...object, metadata };
    });
    await site.apply(paused);
    await sleep(5000);
    site.engines.load('busy', 0);
    return stay(site, { busy: 5 });
  },
  'what is deleted and applied again follows its load again': async (site) => {
    const objects = site.manifests('v0.24.0');
    const scaled = objects.filter(({ kind }) => SCALED.has(kind ?? ''));
    for (const object of scaled) {
      ok(await site.client.delete(pathOf(object), { propagationPolicy: 'Foreground' }), pathOf(object));
    }
    await until('they are gone', async () => {
      const answers = await Promise.all(scaled.map((object) => site.client.get(pathOf(object))));
      return answers.every(({ status }) => status === 404);
    });
    site.engines.load('quiet', THRESHOLD * 2);
    site.engines.load('gang', 0);
    await site.apply(objects);
    return reach(site, { busy: 1, quiet: 2, gang: 1 });
  },
};

async function tryRows(site: Site) {
  const failures: string[] = [];
  for (const [name, row] of Object.entries(ROWS)) {
    const wrong = await row(site).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    say(`   ${wrong === undefined ? 'ok' : 'NO'} ${name}`);
    if (wrong !== undefined) failures.push(`${name}: ${wrong}`);
  }
  return { failures, figures: [`KEDA ${KEDA}: ${Object.keys(ROWS).length - failures.length} rows as expected`] };
}

type Counts = Readonly<Partial<Record<DeploymentName, number>>>;

/** Waits until the deployments have these copies, all bound, and never more than their upper bound meanwhile. */
async function reach(site: Site, want: Counts): Promise<string | undefined> {
  let above: string | undefined;
  await until(
    `copies are ${JSON.stringify(want)}`,
    () => {
      above ??= outOfBounds(site);
      return (
        above !== undefined || Object.entries(want).every(([name, count]) => has(site, name as DeploymentName, count))
      );
    },
    240_000,
  ).catch((error: unknown) => {
    const counts = NAMES.map((name) => `${name} ${JSON.stringify(site.copies(name))}`);
    throw new Error(`${String(error)}; there are ${counts.join(', ')}`);
  });
  return above;
}

function has(site: Site, name: DeploymentName, count: number): boolean {
  const { bound, all } = site.copies(name);
  return bound === count && all === count;
}

function outOfBounds(site: Site): string | undefined {
  for (const name of NAMES) {
    if (site.copies(name).all > BOUNDS[name].max) return `${name} has more than ${BOUNDS[name].max} copies`;
  }
  return undefined;
}

/** Watches for a while that the number of copies stays. During a rollout, one may have no pod that serves. */
async function stay(site: Site, want: Counts, counted: 'all' | 'serving' = 'all'): Promise<string | undefined> {
  const end = Date.now() + SETTLE;
  const missing = counted === 'serving' ? 1 : 0;
  while (Date.now() < end) {
    for (const [name, count] of Object.entries(want)) {
      const { [counted]: found } = site.copies(name as DeploymentName);
      if (found > count || found < count - missing) return `${name} has ${found} copies instead of ${count}`;
    }
    await sleep(200);
  }
  return undefined;
}
