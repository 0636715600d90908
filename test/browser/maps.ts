import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { warningAt } from '../../src/base/diagnostic';
import { readPageAssets } from '../../src/cli/page-assets';
import { runCommandLine } from '../../src/cli/run';
import { decide } from '../../src/plan/decide';
import { buildPlanMessages } from '../../src/report/map/build-message-data';
import { formatMapPage } from '../../src/report/map/map-page';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { mapOf } from '../report/map/drawn';
import { cluster, deployment, fleetOf, nodeClass } from '../scheduler/build';

/** Texts that would do harm if any of them became markup. */
export const HOSTILE = [
  '</script><script>document.title="harmed"</script>',
  '<img src=x onerror=\'document.title="harmed"\'>',
  '"><svg onload=\'document.title="harmed"\'>',
  'javascript:document.title="harmed"',
];

/** Writes the maps that are looked at, and tells where each is. */
export const MAPS = {
  /** Three clusters, four deployments. */
  small: (folder: string) => planned(folder, 'small', 'examples/quickstart'),

  /** A replica that has no place. */
  unplaced: (folder: string) => planned(folder, 'unplaced', 'examples/does-not-fit'),

  /** A pull request: its base and its change. */
  compared: (folder: string) =>
    planned(folder, 'compared', 'examples/pull-request/change', '--against', 'examples/pull-request/base'),

  /** Thirty clusters in six regions, and what a pull request makes of them. */
  regional: (folder: string) => regional(folder, 'regional', 30),

  /** The same with a thousand clusters. */
  wide: (folder: string) => regional(folder, 'wide', 1000),

  /** A fleet with many warnings of a kind. */
  warned(folder: string): string {
    const fleet = fleetOf(nodeClass('h100'), cluster('us', { a: 'h100 x 3' }), deployment('ml/q'));
    const warnings = Array.from({ length: 7 }, (_, i) => {
      const what = `0 replicas of ml/q-${i} serve if clusters are applied independently`;
      return warningAt('independent-clusters', `fleet.yaml:${10 + i}:3`, what, "Set 'rollout.surge: 1'");
    });
    const { plan } = decide(fleet, () => '', EMPTY_LOCK);
    const remarks = buildPlanMessages({ ...plan, warnings });
    const path = join(folder, 'warned.html');
    writeFileSync(path, formatMapPage({ ...mapOf(fleet), remarks }, readPageAssets()));
    return path;
  },

  /** A fleet whose every text is hostile, as no fleet can be declared. */
  hostile(folder: string): string {
    const fleet = fleetOf(nodeClass('h100'), cluster('us', { a: 'h100 x 3' }), deployment('ml/q'));
    const map = mapOf(fleet);
    const remarks = HOSTILE.map((text) => ({ kind: 'warning' as const, text, at: [text] }));
    const texts = map.texts.map((text, i) => HOSTILE[i % HOSTILE.length] ?? text);
    const path = join(folder, 'hostile.html');
    writeFileSync(path, formatMapPage({ ...map, title: HOSTILE[0] ?? '', texts, remarks }, readPageAssets()));
    return path;
  },

  /** A thousand clusters of ten pools, a hundred thousand replicas. */
  large(folder: string): string {
    const fleet = join(folder, 'fleet');
    mkdirSync(fleet);
    execFileSync(process.execPath, [join(__dirname, 'write-large-fleet.mjs'), fleet], { stdio: 'inherit' });
    return planned(folder, 'large', fleet);
  },
} as const;

/** Writes and locks a fleet of many clusters, and compares a change with it. */
function regional(folder: string, name: string, clusters: number): string {
  const script = join(__dirname, 'write-regional-fleet.mjs');
  const [base, change] = ['base', 'change'].map((state) => join(folder, `${name}-${state}`));
  if (base === undefined || change === undefined) throw new Error('no folders');
  execFileSync(process.execPath, [script, base, String(clusters)], { stdio: 'inherit' });
  execFileSync(process.execPath, [script, change, String(clusters), 'change'], { stdio: 'inherit' });
  run('lock', base);
  copyFileSync(join(base, 'fleet.lock.yaml'), join(change, 'fleet.lock.yaml'));
  run('lock', change);
  return planned(folder, name, change, '--against', base);
}

/** Megabytes of a file. */
export function megabytes(path: string): number {
  return statSync(path).size / 1e6;
}

function planned(folder: string, name: string, ...args: string[]): string {
  const path = join(folder, `${name}.html`);
  const errors = run('plan', ...args, '--html', path);
  if (!readFileSync(path, 'utf8')) throw new Error(errors);
  return path;
}

/** Runs a command. Returns what it says on stderr. */
function run(...args: string[]): string {
  const errors: string[] = [];
  const io = {
    out: () => {},
    err: (text: string) => void errors.push(text),
    terminal: false,
    env: {},
    stdin: () => '',
  };
  const code = runCommandLine(args, io, '0.0.0');
  if (code === 1) throw new Error(errors.join(''));
  return errors.join('');
}
