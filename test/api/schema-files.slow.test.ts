import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { jsonSchemaOf } from '../../src/api/json-schema';
import { KINDS } from '../../src/api/kind-table';
import type { JsonSchema } from '../../src/api/schema-parts';

const ROOT = join(__dirname, '../..');
const MAIN = 'fleetwright.json';

function read(name: string): JsonSchema {
  return JSON.parse(readFileSync(join(ROOT, 'schema', name), 'utf8')) as JsonSchema;
}

const FILES = new Map(
  readdirSync(join(ROOT, 'schema'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, read(name)]),
);

function fileOf(kind: string): string {
  return `${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.json`;
}

/** A schema with what its references lead to in their place. */
function resolved(schema: unknown, file: JsonSchema): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, file));
  const { $ref, ...own } = schema as JsonSchema;
  const whole = typeof $ref === 'string' ? { ...target($ref, file), ...own } : own;
  return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, resolved(value, file)]));
}

function target(ref: string, file: JsonSchema): JsonSchema {
  const [, name = '', part = ''] = /^(.*)#\/\$defs\/(\w+)$/.exec(ref) ?? [];
  const holder = name === '' ? file : FILES.get(name);
  const found = (holder?.['$defs'] as Record<string, JsonSchema> | undefined)?.[part];
  if (!found) throw new Error(`${ref} leads nowhere`);
  return found;
}

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))('the schema of %s', (name, kind) => {
  const { $schema, ...whole } = jsonSchemaOf(kind);

  test('says word for word what it says with every part in its place', () => {
    const main = FILES.get(MAIN)!;
    expect(resolved(target(`#/$defs/${name}`, main), main)).toEqual(whole);
  });

  test('is that of its kind among all', () => {
    const { title, description } = whole;
    const $ref = `${MAIN}#/$defs/${name}`;
    expect(FILES.get(fileOf(name))).toEqual({ $schema, title, description, $ref });
  });
});

test('parts are referred to, and have a name each', () => {
  for (const [file, schema] of FILES) {
    const parts = Object.keys((schema['$defs'] ?? {}) as object);
    const text = JSON.stringify(schema) + (file === MAIN ? JSON.stringify([...FILES.values()]) : '');
    expect(parts.filter((part) => !text.includes(`#/$defs/${part}"`))).toEqual([]);
  }
});

/** Judges by the files that editors read, and by the schemas as they are without references. */
interface Judges {
  readonly written: ValidateFunction;
  readonly ofKind: ValidateFunction;
  readonly whole: ValidateFunction;
}

const OPTIONS = { allowUnionTypes: true, strictTuples: false };
const ajv = new Ajv(OPTIONS);
ajv.addSchema(FILES.get(MAIN)!, MAIN);
const all = ajv.compile(FILES.get(MAIN)!);
const JUDGES = new Map<string, Judges>(
  KINDS.map((kind) => [
    kind.kind,
    {
      written: all,
      ofKind: ajv.compile(FILES.get(fileOf(kind.kind))!),
      whole: new Ajv(OPTIONS).compile(jsonSchemaOf(kind)),
    },
  ]),
);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Document = { [key: string]: Json } & { kind: string };

function documentsBelow(folder: string): Document[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.yaml') && !/expected|cdk8s|lock/.test(name))
    .flatMap((name) => parseAllDocuments(readFileSync(join(ROOT, folder, name), 'utf8'), { logLevel: 'silent' }))
    .map((document) => document.toJS() as Document | null)
    .filter((document): document is Document => JUDGES.has(String(document?.kind)));
}

/** Kinds that no example has. */
const UNUSED: readonly Document[] = [
  {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Fleet',
    metadata: { name: 'main' },
    spec: {
      defaults: { labels: { team: 'ml' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
      domains: { zone: 'topology.kubernetes.io/zone' },
    },
  },
  {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Grant',
    metadata: { name: 'chat', namespace: 'ml' },
    spec: { from: [{ namespace: 'web' }], to: [{ kind: 'ModelDeployment', matchLabels: { app: 'chat' } }] },
  },
];

/** A document with one change each: a field left out, of another type, or with an unknown one next to it. */
function* broken(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    yield [];
    for (const [at, item] of value.entries()) for (const other of broken(item)) yield value.with(at, other);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknownField: 1 };
    for (const [key, inner] of Object.entries(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      for (const other of broken(inner)) yield { ...value, [key]: other };
    }
  } else {
    yield typeof value === 'string' ? 5 : 'no-such value';
    yield { a: 1 };
  }
}

describe('the files judge documents as the schemas do:', () => {
  const documents = [...documentsBelow('examples'), ...UNUSED];

  test('those of the examples are accepted', () => {
    expect(documents.length).toBeGreaterThan(50);
    const refused = documents.filter((document) => {
      const { written, ofKind, whole } = JUDGES.get(document.kind)!;
      return !written(document) || !ofKind(document) || !whole(document);
    });
    expect(refused).toEqual([]);
  });

  test.each(KINDS.map(({ kind }) => kind))('%s, changed in one place', (kind) => {
    const { written, ofKind, whole } = JUDGES.get(kind)!;
    const seen = new Set<string>();
    let refused = 0;
    for (const document of documents.filter((one) => one.kind === kind)) {
      for (const changed of broken(document)) {
        const text = JSON.stringify(changed);
        if (seen.has(text)) continue;
        seen.add(text);
        const want = whole(changed);
        if (!want) refused++;
        if (ofKind(changed) !== want || written(changed) !== want)
          throw new Error(`${want ? 'refused' : 'accepted'}: ${text}`);
      }
    }
    expect(refused).toBeGreaterThan(5);
  });
});
