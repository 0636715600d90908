import { z } from 'zod';
import { catalogueFile } from './catalogue-file';
import { KINDS } from './kind-table';
import { policyFile } from './policy-file';
import { priceFile } from './price-file';
import { scenarioFile } from './scenario-file';
import { divided, type JsonSchema } from './schema-parts';
import { keywordOf } from './schema/fields';
import type { Kind } from './schema/kind';

/** A file of the `schema` folder. */
export interface SchemaFile {
  /** `model-deployment.json` */
  readonly name: string;
  readonly text: string;
}

/** The version of JSON Schema that YAML language servers support best. */
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of the documents of a kind, as users write them: what has a default may be left out. */
export function jsonSchemaOf(kind: Pick<Kind, 'document' | 'kind'>): JsonSchema {
  return toJsonSchema(kind.kind, kind.document);
}

function toJsonSchema(title: string, schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-07',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: own }) => addKeyword(own, keywordOf(zodSchema)),
  });
  return { title, ...json };
}

/** Adds the word by which an object may be written to its schema, in place. */
function addKeyword(schema: Record<string, unknown>, word: string | undefined): void {
  if (word === undefined) return;
  const object = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  schema['anyOf'] = [{ type: 'string', const: word }, object];
}

/** One schema for documents of every kind. */
function buildFleetwrightSchema(): JsonSchema {
  const { schemas, parts } = divided(
    new Map(KINDS.map((kind) => [kind.kind, withoutDraft(jsonSchemaOf(kind))])),
  );
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

/** The schema of a file of one kind alone. */
function ownSchema(title: string, schema: z.ZodType): JsonSchema {
  const { schemas, parts } = divided(new Map([[title, toJsonSchema(title, schema)]]));
  return { ...schemas[title], $defs: parts };
}

/** The schema of one kind refers to the one of all kinds. */
function kindSchema({ kind, description }: Pick<Kind, 'kind' | 'description'>): JsonSchema {
  return { $schema: DRAFT, title: kind, description, $ref: `${ALL_KINDS}#/$defs/${kind}` };
}

/** The file with the schema for documents of every kind. */
const ALL_KINDS = 'fleetwright.json';

/**
 * The files of the `schema` folder: one a kind, `fleetwright.json` for documents of every kind, and those of the files
 * that a Fleet or a command names.
 */
export function buildSchemaFiles(): SchemaFile[] {
  const perKind = KINDS.map((kind) => toSchemaFile(schemaFileName(kind.kind), kindSchema(kind)));
  const named = [
    ['Catalogue', catalogueFile],
    ['Prices', priceFile],
    ['Policies', policyFile],
    ['Scenarios', scenarioFile],
  ] as const;
  return [
    ...perKind,
    toSchemaFile(ALL_KINDS, buildFleetwrightSchema()),
    ...named.map(([title, schema]) => toSchemaFile(schemaFileName(title), ownSchema(title, schema))),
  ];
}

function toSchemaFile(name: string, schema: JsonSchema): SchemaFile {
  return { name, text: `${formatSchema(schema)}\n` };
}

/** How wide a line of a schema may be. */
const WIDTH = 110;

/** A schema as JSON: what fits in a line is on one. */
export function formatSchema(value: unknown, indent = ''): string {
  const line = spaced(value);
  const isFlat = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isFlat || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${formatSchema(item, inner)}`)
    : Object.entries(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatSchema(item, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** JSON in one line, with spaces between its parts. */
function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`).join(', ')} }`;
}

/** `ModelDeployment` -> `model-deployment.json` */
function schemaFileName(kind: string): string {
  return `${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.json`;
}

function withoutDraft(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
