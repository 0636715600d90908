import { cpSync, readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import { Workspace } from './cli';

// Each run decides a fleet twice.
jest.setTimeout(300_000);

/** Examples that are YAML files, of one file each. */
const EXAMPLES = readdirSync('examples').filter((name) => readdirSync(`examples/${name}`).includes('fleet.yaml'));

type Path = readonly (string | number)[];

function listPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((one: unknown, i) => [i, one] as const)
    : Object.entries(value);
  return [at, ...entries.flatMap(([key, inner]) => listPaths(inner, [...at, key]))];
}

/** What a value becomes. `undefined` removes it. */
const FAULTS: readonly ((value: unknown) => unknown)[] = [
  () => undefined,
  () => 'nothing',
  () => null,
  () => [],
  () => ({}),
  () => -1,
  (value) => (typeof value === 'number' ? value * 1000 : value),
  (value) => (typeof value === 'number' ? 0 : value),
  (value) => (typeof value === 'string' ? `${value}x` : value),
  (value) => (typeof value === 'string' ? '' : value),
  (value) => (Array.isArray(value) ? [...(value as unknown[]), ...(value as unknown[])] : value),
];

interface Breakage {
  readonly example: string;
  readonly at: number;
  readonly fault: number;
}

/** A copy of a value with the value at a path replaced, or without it. */
function replaceAt(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const inner = replaceAt(Reflect.get(copy, key), rest, change);
  if (inner !== undefined) Reflect.set(copy, key, inner);
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else Reflect.deleteProperty(copy, key);
  return copy;
}

/** The fleet of an example with one value of one document changed. */
function breakFleet({ example, at, fault }: Breakage): string {
  const documents = parseAllDocuments(readFileSync(`examples/${example}/fleet.yaml`, 'utf8')).map(
    (one) => one.toJS() as unknown,
  );
  const paths = listPaths(documents).slice(1);
  const changed = replaceAt(documents, paths[at % paths.length] ?? [], (value) => FAULTS[fault]?.(value));
  return (changed as unknown[]).map((one) => stringify(one)).join('---\n');
}

const breakage = fc.record({
  example: fc.constantFrom(...EXAMPLES),
  at: fc.nat(),
  fault: fc.nat(FAULTS.length - 1),
});

/** The exit codes of `validate` that agree with that of a plan. A shortfall can lack only capacity. */
const AGREEING: Readonly<Record<number, readonly number[]>> = { 0: [0], 1: [1], 3: [0, 3], 4: [4] };

/** The errors, without those that only follow from others. */
function errorsOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.endsWith('Correct those errors first.'));
}

test('validate refuses what a plan without a lock refuses, with the same errors', () => {
  fc.assert(
    fc.property(breakage, (broken) => {
      const space = new Workspace();
      cpSync(`examples/${broken.example}`, space.root, { recursive: true });
      space.write({ 'fleet/fleet.yaml': breakFleet(broken) });
      const plan = space.run('plan ./fleet');
      const validated = space.run('validate ./fleet');
      expect(AGREEING[plan.code]).toContain(validated.code);
      expect(errorsOf(validated.err)).toEqual(expect.arrayContaining(errorsOf(plan.err)));
      space.remove();
    }),
    { numRuns: Number(process.env['FLEETWRIGHT_RUNS'] ?? 25), seed: 3 },
  );
});
