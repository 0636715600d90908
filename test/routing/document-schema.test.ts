import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { routingDocument } from '../../src/routing/routing-document';
import { aDoor, aModel, aSite, aSplit, routed, to } from './build';

const SCHEMA = JSON.parse(readFileSync('schema/routing.json', 'utf8')) as object;
const validate = new Ajv({ allowUnionTypes: true }).compile(SCHEMA);

function problemsOf(document: unknown): unknown {
  validate(document);
  return validate.errors ?? [];
}

const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('routing.json'))
  .sort();

describe('routing.json is as its schema says', () => {
  test.each(examples)('in examples/%s', (path) => {
    expect(problemsOf(JSON.parse(readFileSync(join('examples', path), 'utf8')))).toEqual([]);
  });

  const chat = aSplit('ml/chat', [to({ app: 'chat' }, { match: { headers: { 'x-canary': '1' } } })]);
  const llama = aModel('ml/llama', { replicaLabels: { app: 'chat' } });
  const document = routingDocument(routed(aSite('east'), aDoor(['east']), llama, chat));

  test('with a match by header', () => {
    expect(document.routes[0]?.match).toEqual({ headers: { 'x-canary': '1' } });
    expect(problemsOf(document)).toEqual([]);
  });

  const { share: _share, ...shareless } = document.routes[0]!;
  const wrong: Record<string, object> = {
    'another version': { ...document, version: 2 },
    'another kind': { ...document, kind: 'Plan' },
    'a document without its digest': { ...document, digest: undefined },
    'a route without its share': { ...document, routes: [shareless] },
    'a third tier': { ...document, routes: [{ ...document.routes[0], tier: 2 }] },
  };
  test.each(Object.entries(wrong))('which refuses %s', (_, other) => expect(problemsOf(other)).not.toEqual([]));
});
