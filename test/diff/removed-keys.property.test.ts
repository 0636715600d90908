import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments, stringify } from 'yaml';
import type { Path } from '../../src/api/resource';
import { isDeepEqual } from '../../src/base/deep-equal';
import { type DeclaredField, diffDeclarations } from '../../src/diff/declaration-changes';
import { documentOf } from '../../src/manifest/canonical-document';
import { loadManifests } from '../../src/manifest/load-manifests';
import { daily } from '../daily';

/** Of the keys of specs that examples have, every how many is tried. */
const STEP = Math.max(1, Math.round(3 / daily(1)));

/** A declaration, and its edits of one number that are valid. */
interface Edited {
  readonly document: unknown;
  readonly numbers: readonly Path[];
}

type Declarations = Pick<ReturnType<typeof loadManifests>, 'resources' | 'locate'>;

test('each key that is removed next to another edit of its declaration is among the edits', () => {
  const documents = listDocuments().map((document): Edited => {
    const numbers = listPaths(document).filter((path) => typeof valueAt(document, path) === 'number');
    return { document, numbers };
  });
  const trials = documents
    .filter(({ numbers }) => numbers.length > 0)
    .flatMap((one) => listPaths(one.document).map((path) => ({ ...one, path })))
    .filter(({ path: [part, ...rest] }) => part === 'spec' && rest.length === 1)
    .filter((_, i) => i % STEP === 0)
    .flatMap(({ path, ...one }) => {
      const edits = removeKey(one, path);
      return edits ? [{ path, edits }] : [];
    });
  const missing = trials.filter(({ path, edits }) => !edits.some((edit) => overlaps(edit.path, path)));
  expect(missing.map(({ path, edits }) => [path.join('.'), ...edits.map(({ field }) => field)])).toEqual([]);
  expect(trials.length).toBeGreaterThan(10);
});

/** The edits where a key is gone and a number is greater. Undefined: that is not valid, or no other default applies. */
function removeKey({ document, numbers }: Edited, path: Path): readonly DeclaredField[] | undefined {
  const [before, without] = [read(document), read(replaceAt(document, path))];
  const [was, is] = [before, without].map(({ resources: [one] }) => one && valueAt(documentOf(one), path));
  if (is === undefined || without.resources.length === 0 || isDeepEqual(was, is)) return undefined;
  for (const other of numbers) {
    if (overlaps(other, path)) continue;
    const edited = replaceAt(document, other, Number(valueAt(document, other)) + 1);
    const after = read(replaceAt(edited, path));
    const [change] = after.resources.length > 0 ? diffDeclarations(before, after) : [];
    if (change && change.fields.length > 0) return change.fields;
  }
  return undefined;
}

/** The declarations of examples, one document each. */
function listDocuments(): unknown[] {
  return readdirSync('examples').flatMap((name) =>
    readdirSync(`examples/${name}`)
      .filter((file) => file.endsWith('.yaml') && file !== 'fleet.lock.yaml')
      .flatMap((file) => parseAllDocuments(readFileSync(`examples/${name}/${file}`, 'utf8')))
      .map((one) => one.toJS() as unknown)
      .filter((one) => JSON.stringify(one).includes('"apiVersion":"fleetwright.dev/')),
  );
}

function read(document: unknown): Declarations {
  const { resources, locate } = loadManifests([{ path: 'f.yaml', text: stringify(document) }]);
  return { resources, locate };
}

function listPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [at, ...keys.flatMap((key) => listPaths(valueAt(value, [key]), [...at, key]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((one, key) => (one as Readonly<Record<string | number, unknown>> | undefined)?.[key], value);
}

/** A copy with another value at a path, or without it. */
function replaceAt(document: unknown, path: Path, value?: unknown): unknown {
  const copy = structuredClone(document);
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  const key = path.at(-1) ?? '';
  if (value === undefined) delete holder[key];
  else holder[key] = value;
  return copy;
}

/** Whether one path is the start of the other. */
function overlaps(one: Path, other: Path): boolean {
  return one.slice(0, other.length).every((part, i) => part === other[i]);
}
