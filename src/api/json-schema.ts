import { z } from 'zod';
import { catalogueFile } from './catalogue-file';
import { KINDS } from './kind-table';
import { modelCatalogueFile } from './model-catalogue-file';
import { policyFile } from './policy-file';
import { priceFile } from './price-file';
import { scenarioFile } from './scenario-file';
import { divideSchemas, type JsonSchema } from './schema-parts';
import { keywordsOf } from './schema/fields';
import type { Kind } from './schema/kind';

/** The version of JSON Schema that YAML language servers support best. */
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of the documents of a kind as users write them. Fields with defaults are optional. */
export function jsonSchemaOf(kind: Pick<Kind, 'document' | 'kind'>): JsonSchema {
  return toJsonSchema(kind.kind, kind.document);
}

function toJsonSchema(title: string, schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-07',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => addKeywords(jsonSchema, keywordsOf(zodSchema)),
  });
  return { title, ...json };
}

/** Adds the words that can replace an object to the schema of the object, in place. */
function addKeywords(schema: Record<string, unknown>, words: readonly string[]): void {
  const [word, ...others] = words;
  if (word === undefined) return;
  const object = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  schema['anyOf'] = [{ type: 'string', ...(others.length > 0 ? { enum: words } : { const: word }) }, object];
}

function buildFleetwrightSchema(): JsonSchema {
  const { schemas, parts } = divideSchemas(new Map(KINDS.map((kind) => [kind.kind, removeDraft(jsonSchemaOf(kind))])));
  return {
    $schema: DRAFT,
    title: 'Fleetwright',
    description: 'Any resource of a fleet.',
    type: 'object',
    required: ['apiVersion', 'kind'],
    properties: { kind: { enum: KINDS.map(({ kind }) => kind) } },
    oneOf: KINDS.map(({ kind }) => ({ $ref: `#/$defs/${kind}` })),
    $defs: { ...schemas, ...parts },
  };
}

function buildDataFileSchema(title: string, schema: z.ZodType): JsonSchema {
  const { schemas, parts } = divideSchemas(new Map([[title, toJsonSchema(title, schema)]]));
  return { ...schemas[title], $defs: parts };
}

/** Builds the schema of one kind, which refers to the schema of all kinds. */
function buildKindSchema({ kind, description }: Pick<Kind, 'kind' | 'description'>): JsonSchema {
  return { $schema: DRAFT, title: kind, description, $ref: `${ALL_KINDS}#/$defs/${kind}` };
}

const ALL_KINDS = 'fleetwright.json';

/**
 * Builds the files of the `schema` folder: one for each kind, `fleetwright.json` for documents of all kinds, and one
 * for each data file that a Fleet or a command names.
 */
export function buildSchemaFiles(): { readonly name: string; readonly text: string }[] {
  const dataFiles = {
    Catalogue: catalogueFile,
    ModelCatalogue: modelCatalogueFile,
    Prices: priceFile,
    Policies: policyFile,
    Scenarios: scenarioFile,
  };
  const schemas: [string, JsonSchema][] = [
    ...KINDS.map((kind): [string, JsonSchema] => [schemaFileNameOf(kind.kind), buildKindSchema(kind)]),
    [ALL_KINDS, buildFleetwrightSchema()],
    ...Object.entries(dataFiles).map(([title, schema]): [string, JsonSchema] => [
      schemaFileNameOf(title),
      buildDataFileSchema(title, schema),
    ]),
  ];
  return schemas.map(([name, schema]) => ({ name, text: `${formatSchema(schema)}\n` }));
}

const WIDTH = 110;

/** Formats a schema as JSON. A value that fits on one line is on one line. */
export function formatSchema(value: unknown, indent = ''): string {
  const line = formatOnOneLine(value);
  const isFlat = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isFlat || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${formatSchema(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${formatSchema(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** Formats JSON on one line, with spaces between its parts. */
function formatOnOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (Array.isArray(value)) return `[${value.map(formatOnOneLine).join(', ')}]`;
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${formatOnOneLine(item)}`).join(', ')} }`;
}

/** The file name of the schema of a kind: `model-deployment.json` for `ModelDeployment`. */
function schemaFileNameOf(kind: string): string {
  return `${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.json`;
}

function removeDraft(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
