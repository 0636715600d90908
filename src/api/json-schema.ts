import { z } from 'zod';
import { catalogueFile } from './catalogue-file';
import { KINDS } from './kind-table';
import { policyFile } from './policy-file';
import { priceFile } from './price-file';
import { scenarioFile } from './scenario-file';
import { keywordOf } from './schema/fields';
import type { Kind } from './schema/kind';

/** A JSON Schema, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

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
export function buildFleetwrightSchema(): JsonSchema {
  const definitions = Object.fromEntries(KINDS.map((kind) => [kind.kind, withoutDraft(jsonSchemaOf(kind))]));
  return {
    $schema: DRAFT,
    title: 'Fleetwright',
    description: 'Any resource of a fleet.',
    type: 'object',
    required: ['apiVersion', 'kind'],
    properties: { kind: { enum: KINDS.map(({ kind }) => kind) } },
    oneOf: KINDS.map(({ kind }) => ({ $ref: `#/definitions/${kind}` })),
    definitions,
  };
}

/**
 * The files of the `schema` folder: one a kind, `fleetwright.json` for documents of every kind, and those of the files
 * that a Fleet or a command names.
 */
export function buildSchemaFiles(): SchemaFile[] {
  const perKind = KINDS.map((kind) => toSchemaFile(schemaFileName(kind.kind), jsonSchemaOf(kind)));
  const named = [
    toSchemaFile('catalogue.json', toJsonSchema('Catalogue', catalogueFile)),
    toSchemaFile('prices.json', toJsonSchema('Prices', priceFile)),
    toSchemaFile('policies.json', toJsonSchema('Policies', policyFile)),
    toSchemaFile('scenarios.json', toJsonSchema('Scenarios', scenarioFile)),
  ];
  return [...perKind, toSchemaFile('fleetwright.json', buildFleetwrightSchema()), ...named];
}

function toSchemaFile(name: string, schema: JsonSchema): SchemaFile {
  return { name, text: `${JSON.stringify(schema, null, 2)}\n` };
}

/** `ModelDeployment` -> `model-deployment.json` */
function schemaFileName(kind: string): string {
  return `${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.json`;
}

function withoutDraft(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
