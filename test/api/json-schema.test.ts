import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchemaFiles, jsonSchemaOf } from '../../src/api/json-schema';
import { KINDS } from '../../src/api/kind-table';
import type { JsonSchema } from '../../src/api/schema-parts';

const folder = join(__dirname, '../../schema');

describe('the schema folder', () => {
  test('has a file a kind, and one for all', () => {
    // Those of documents are made from their types, by scripts/output-schemas.mjs.
    const made = [
      'doctor',
      'draft',
      'endpoint-models',
      'fit',
      'plan',
      'routing',
      'smoke',
      'status',
      'survival',
      'what-if',
    ];
    const names = [...buildSchemaFiles().map(({ name }) => name), ...made.map((name) => `${name}.json`)];
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  test.each(buildSchemaFiles().map(({ name, text }) => [name, text]))(
    '%s is fresh: `fleetwright schema` writes it',
    (name, text) => {
      // Not toBe: the difference of two long texts helps no one.
      expect(readFileSync(join(folder, name), 'utf8') === text).toBe(true);
    },
  );
});

describe('a schema', () => {
  const schemas = KINDS.map((kind) => [kind.kind, jsonSchemaOf(kind)] as const);

  test.each(schemas)('%s says what each field is', (_, schema) => {
    const silent = fieldsOf(schema).filter(([path, field]) => path !== '.spec' && !field['description']);
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test.each(schemas)('%s says of which type each field is', (_, schema) => {
    const free = fieldsOf(schema).filter(
      ([, field]) => !('type' in field || 'anyOf' in field) && !String(field['description']).startsWith('Ignored'),
    );
    expect(free.map(([path]) => path)).toEqual([]);
  });

  test.each(schemas)('%s lets out what has a default', (_, schema) => {
    const required = fieldsOf(schema).flatMap(([path, { required: names, properties }]) =>
      ((names as string[]) ?? [])
        .filter((name) => 'default' in child(properties, name))
        .map((name) => `${path}.${name}`),
    );
    expect(required).toEqual([]);
  });

  test('names the groups that have the kind', () => {
    const groups = Object.fromEntries(
      schemas.map(([kind, schema]) => [kind, child(child(schema, 'properties'), 'apiVersion')['enum']]),
    );
    expect(groups['Grant']).toEqual(['fleetwright.dev/v1alpha1']);
    expect(groups['ModelCache']).toEqual(['fleetwright.dev/v1alpha1', 'modelplane.ai/v1alpha1']);
  });
});

/** Every field of a schema with its path, at any depth. */
function fieldsOf(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  const own = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const inside = own.flatMap(([name, field]): [string, JsonSchema][] => [
    [`${path}.${name}`, field],
    ...fieldsOf(field, `${path}.${name}`),
  ]);
  const parts = [schema['items'], schema['additionalProperties']].flat().filter((part) => typeof part === 'object');
  return [...inside, ...parts.flatMap((part) => fieldsOf(part as JsonSchema, `${path}[]`))];
}

function child(schema: unknown, name: string): JsonSchema {
  return ((schema ?? {}) as Record<string, JsonSchema>)[name] ?? {};
}
