/** @jest-environment node */
import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { FleetwrightError } from '../../src/base/errors';
import { KeptTexts } from '../../src/files/kept-texts';
import { writeClusterFiles } from '../../src/files/write-cluster-files';
import { renderFleet, renderFleetTexts } from '../../src/render/fleet';
import { daily } from '../daily';
import { plan, type Planned } from '../kubernetes/promises/plan';
import { inputs } from '../kubernetes/strict/inputs';
import { eachInFolder } from './build';

const FLEETS = inputs(1, 4);
const folder = eachInFolder();
let record: string | undefined;
beforeEach(() => {
  record = undefined;
});

/** A change of a fleet: a resource of it, something in it, and what becomes of that. */
const edit = fc.record({ resource: fc.nat(), leaf: fc.nat(), drop: fc.constantFrom(false, false, false, true) });

/** A change of the folder: a file of it is edited or deleted. */
const damage = fc.option(fc.record({ file: fc.nat(), drop: fc.boolean() }), { freq: 2 });

const step = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 3 }), damage });

test('after any edits, files are those of a run without a record, and the same fleet is not rendered again', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FLEETS), fc.array(step, { minLength: 2, maxLength: 4 }), (input, steps) => {
      let { resources } = input;
      check(resources, plan(resources));
      for (const { edits, damage: harm } of steps) {
        const next = edits.reduce<readonly Resource[]>(edited, resources);
        const planned = planIfValid(next);
        if (!planned) continue;
        resources = next;
        const paths = Object.keys(folder().tree('out')).filter((one) => one.endsWith('.yaml'));
        const path = harm && paths[harm.file % paths.length];
        if (path) folder().drop(path);
        if (path && !harm.drop) folder().add({ [path]: '# edited\n' });
        check(resources, planned);
      }
    }),
    { numRuns: daily(6), seed: 7 },
  );
});

/** Runs with the record of the run before, and then again for the same resources. */
function check(resources: readonly Resource[], planned: Planned): void {
  const { fleet, replicas, routing } = planned;
  const want = renderFleet(fleet, replicas, { routing });
  run(planned);
  const files = Object.entries(folder().tree('out')).filter(([path]) => path.endsWith('.yaml'));
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries([...want].map(([path, text]) => [`out/${path}`, text])));
  expect(run(plan(resources))).toBe(0);
}

/** Returns how many clusters were rendered. */
function run({ fleet, replicas, routing }: Planned): number {
  let rendered = 0;
  const out = folder().path('out');
  const known = new KeptTexts(out, { read: () => record, keep: (text) => (record = text) });
  const texts = renderFleetTexts(fleet, replicas, {
    routing,
    memo: (cluster, input, render) =>
      known.textsOf(cluster, input, () => {
        rendered += 1;
        return render();
      }),
  });
  writeClusterFiles(out, texts, { isUnchanged: known.isUnchanged });
  known.keep();
  return rendered;
}

/** Many edits are refused by right: what they touched has rules. */
function planIfValid(resources: readonly Resource[]): Planned | undefined {
  try {
    return plan(resources);
  } catch (error) {
    if (error instanceof FleetwrightError || error instanceof Error) return undefined;
    throw error;
  }
}

function edited(
  resources: readonly Resource[],
  { resource, leaf, drop }: { resource: number; leaf: number; drop: boolean },
) {
  const at = resource % resources.length;
  return resources.flatMap((one, i): Resource[] => {
    if (i !== at) return [one];
    return drop ? [] : [{ ...one, spec: withOtherLeaf(one.spec, leaf) } as Resource];
  });
}

/** A value with another number, text or truth in it. */
function withOtherLeaf(value: unknown, at: number): unknown {
  const paths = leavesOf(value);
  const path = paths[at % paths.length];
  return path ? replaceAt(value, path) : value;
}

function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return otherThan(value);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? replaceAt(item, rest) : item));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: replaceAt(fields[key], rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : typeof value === 'string' ? `${value}x` : value;
}
