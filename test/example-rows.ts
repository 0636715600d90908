import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runCommandLine } from '../src/cli/run';
import { findPodSpecs, type JsonObject } from '../src/manifest/kubernetes/manifest';

/** Examples whose shortfall no one has accepted: what they must yield is what they yield once it is. */
const SHORT: ReadonlySet<string> = new Set(['does-not-fit']);

/** The container of an engine, and its name in services of KServe. */
const ENGINE_NAMES: ReadonlySet<string> = new Set(['engine', 'main']);

const isProgram = (name: string): boolean => existsSync(join('examples', name, 'cdk8s.yaml'));

/** The examples that are a fleet of manifests, and those that are a program. Others hold no fleet, or several. */
export function listExamples(): { readonly manifests: readonly string[]; readonly programs: readonly string[] } {
  const names = readdirSync('examples').filter((name) => {
    const folder = join('examples', name);
    return statSync(folder).isDirectory() && readdirSync(folder).some((file) => /\.(yaml|ts)$/.test(file));
  });
  return { manifests: names.filter((name) => !isProgram(name)), programs: names.filter(isProgram) };
}

/** Runs the command line. */
export function fleetwright(...args: string[]): { code: number; out: string } {
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

/** Adds what every example has to do. */
export function checkExamples(names: readonly string[]): void {
  describe.each(names)('examples/%s', checkExample);
}

function checkExample(name: string): void {
  let work: string;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'example-'));
  });
  afterEach(() => rmSync(work, { recursive: true, force: true }));

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
}
