import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runCommandLine } from '../src/cli/run';
import { findPodSpecs, type JsonObject } from '../src/manifest/kubernetes/manifest';

/** Examples whose shortfall no one has accepted: what they must yield is what they yield once it is. */
const SHORT: ReadonlySet<string> = new Set(['does-not-fit']);

/** The container of an engine, and its name in services of KServe. */
const ENGINE_NAMES: ReadonlySet<string> = new Set(['engine', 'main']);

/** Those that are a fleet: others hold none, or several. */
const examples = readdirSync('examples').filter((name) => {
  const folder = join('examples', name);
  return statSync(folder).isDirectory() && readdirSync(folder).some((file) => /\.(yaml|ts)$/.test(file));
});

// Programs take a second each, more where the machine is busy.
jest.setTimeout(60_000);

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'example-'));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

function fleetwright(...args: string[]): { code: number; out: string } {
  let out = '';
  const print = (text: string): void => void (out += text);
  const code = runCommandLine(
    args,
    { out: print, err: print, terminal: false, env: process.env, stdin: () => '' },
    '0.0.0',
  );
  if (code instanceof Promise) throw new Error(`${args.join(' ')} asks a cluster`);
  return { code, out };
}

function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The names of CPU and memory that a container requests. */
function requestedBy({ resources }: JsonObject): string[] {
  const { requests = {} } = (resources ?? {}) as { readonly requests?: object };
  return Object.keys(requests).filter((name) => name === 'cpu' || name === 'memory');
}

describe.each(examples)('examples/%s', (name) => {
  const example = join('examples', name);

  test('yields the manifests that it must', () => {
    // A program runs where it stands: it imports the package.
    const target = SHORT.has(name) ? join(work, name) : example;
    if (SHORT.has(name)) {
      cpSync(example, target, { recursive: true });
      expect(fleetwright('lock', target, '--accept-unplaced').code).toBe(0);
    }
    const { code, out } = fleetwright('synth', target, '--out', join(work, 'out'));
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(filesIn(join(work, 'out'))).toEqual(filesIn(join(example, 'expected')));
  });

  let planned: ReturnType<typeof fleetwright> | undefined;
  // A plan runs the program of an example, which takes a second.
  const plan = () => (planned ??= fleetwright('plan', example, '--json'));

  test('has a lock that is up to date, or a shortfall that no one has accepted', () => {
    expect(fleetwright('lock', example, '--check').code).toBe(SHORT.has(name) ? 5 : 0);
    expect(plan().code).toBe(SHORT.has(name) ? 3 : 0);
  });

  test('warns of nothing that it does not silence with a reason', () => {
    const { warnings } = JSON.parse(plan().out) as { warnings: unknown[] };
    expect(warnings).toEqual([]);
  });

  test('has no pod of class BestEffort, and engines request both CPU and memory', () => {
    const pods = Object.entries(filesIn(join(example, 'expected')))
      .filter(([path]) => path.endsWith('.yaml'))
      .flatMap(([, text]) => parseAllDocuments(text).flatMap((document) => findPodSpecs(document.toJSON())));
    const engines = pods.flatMap(({ containers }) => containers.filter(({ name }) => ENGINE_NAMES.has(String(name))));
    expect(engines.length).toBeGreaterThan(0);
    expect(engines.map(requestedBy).filter((names) => !(names.includes('cpu') && names.includes('memory')))).toEqual(
      [],
    );
    expect(pods.filter(({ containers }) => containers.flatMap(requestedBy).length === 0)).toEqual([]);
  });

  test('says in its README what it shows', () => {
    expect(readFileSync(join(example, 'README.md'), 'utf8')).toContain(`examples/${name}`);
  });
});

test('the shortfall names, for every cluster and pool, the first reason and the numbers', () => {
  const { out } = fleetwright('plan', 'examples/does-not-fit');
  expect(out).toContain(`  ml/llama-70b   1 of 2 replicas has a place
    + eks-us-east/0   pool p5en: 1 node, 8 gpu
    ! 1 replica does not fit (0 of 3 clusters fit: 1 without room, 1 without matching devices, 1 with a taint)
        eks-us-east / p5en    capacity   needs 8 gpu on one node; 0 of 4 nodes can guarantee it; 11 of 32 devices are in use; 21 are free, but the cluster chooses the nodes of pods, and may leave too few on every node
        gke-us-central / l4   devices    gpu: memory 23034Mi is less than 40Gi   (selector 1)
        onprem                taint      the taint maintenance=true:NoSchedule is not tolerated
        cheapest: set packing: BinPack on eks-us-east / p5en ($0), once an administrator has configured the scheduler of eks-us-east to pack pods
        or: 1 more node in eks-us-east / p5en (8 GPUs, +$46,206 a month)
        or: tolerate maintenance=true:NoSchedule on onprem

`);
  expect(out).toMatch(/\nTotal: 4 placed, 1 does not fit\.\n$/);
});
