import { KINDS } from '../../src/api/kind-table';
import { parseResource, type Resource, resourceIdOf } from '../../src/api/kinds';
import { errorAt } from '../../src/base/diagnostic';
import { toCanonicalDocument } from '../../src/manifest/canonical-document';
import { DEFAULT_LIMITS, UNLIMITED } from '../../src/manifest/input-limits';
import {
  createConstructLocator,
  formatProgramOutput,
  formatProgramProblems,
  parseProgramOutput,
} from '../../src/manifest/program-output';
import { fullDocument } from '../api/documents';

function resourceOf(document: unknown): Resource {
  const parsed = parseResource(document);
  if ('findings' in parsed) throw new Error(JSON.stringify(parsed.findings));
  return parsed.resource;
}

const full = KINDS.map(({ kind }) => [kind, resourceOf(fullDocument(kind))] as const);

const cache = resourceOf({
  apiVersion: 'fleetwright.dev/v1alpha1',
  kind: 'ModelCache',
  metadata: { name: 'weights', namespace: 'default', labels: {} },
  spec: {
    source: 'HuggingFace',
    huggingFace: { repo: 'a/b' },
    sizeGiB: 20,
    clusterSelector: { matchLabels: {} },
  },
});

describe('canonicalDocument', () => {
  test.each(full)('%s: means what was declared', (_, resource) => {
    expect(resourceOf(toCanonicalDocument(resource))).toEqual(resource);
  });

  test('leaves out what means the same without it', () => {
    expect(toCanonicalDocument(cache)).toEqual({
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'ModelCache',
      metadata: { name: 'weights' },
      spec: { source: 'HuggingFace', huggingFace: { repo: 'a/b' }, sizeGiB: 20 },
    });
  });

  test('keeps what is own to each of the resources that share a spec', () => {
    const other = { ...cache, metadata: { ...cache.metadata, name: 'other', labels: { tier: 'gold' } } };
    const [first, second] = [toCanonicalDocument(cache), toCanonicalDocument(other)] as { spec: object }[];
    expect(second).toEqual({
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'ModelCache',
      metadata: { name: 'other', labels: { tier: 'gold' } },
      spec: first?.spec,
    });
    expect(second?.spec).not.toBe(first?.spec);
  });

  test.each(full)('%s: keeps the resource as it was, and the order of its fields', (_, resource) => {
    const before = JSON.stringify(resource, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    const document = toCanonicalDocument(resource) as { spec: object };
    expect(JSON.stringify(resource, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))).toBe(
      before,
    );
    const kept = new Set(Object.keys(document.spec));
    expect(Object.keys(document.spec)).toEqual(Object.keys(resource.spec).filter((key) => kept.has(key)));
  });
});

describe('an emission', () => {
  const resources = full.map(([, resource]) => resource);
  const constructs = new Map(resources.map((one) => [resourceIdOf(one), `main/${one.metadata.name}`]));

  test('reads back as it was written, without the annotation that carries the construct', () => {
    const read = parseProgramOutput(formatProgramOutput({ resources, constructs }), 'x');
    expect(read.resources).toEqual(expect.arrayContaining(resources));
    expect(read.resources).toHaveLength(resources.length);
    expect(read.constructs).toEqual(constructs);
  });

  test('carries the lock that the program reads and the renderers that it brings, or neither', () => {
    const lock = '/a/Its renderers: b. /c';
    for (const said of [{ lock, renderers: ['kserve.house', 'b'] }, { lock }, { renderers: ['b'] }, {}]) {
      const read = parseProgramOutput(formatProgramOutput({ resources, constructs, ...said }), 'x');
      expect({ lock: read.lock, renderers: read.renderers }).toEqual({ ...said });
    }
  });

  test('may be larger than a manifest that a user wrote', () => {
    const large = formatProgramOutput({ resources, constructs }) + `# ${'x'.repeat(DEFAULT_LIMITS.fileBytes)}\n`;
    expect(parseProgramOutput(large, 'x').resources).toHaveLength(resources.length);
    expect(new Set(Object.values(UNLIMITED))).toEqual(new Set([Infinity]));
  });

  test('of problems is thrown as they were', () => {
    const problem = errorAt('wrong-type', 'main/q replicas', 'expected a number', 'Write one');
    expect(() => parseProgramOutput(formatProgramProblems([problem]), 'x')).toThrow(
      'main/q replicas: expected a number. Write one.',
    );
  });

  test('of nothing is no resource', () => {
    expect(parseProgramOutput(formatProgramOutput({ resources: [], constructs: new Map() }), 'x').resources).toEqual(
      [],
    );
  });

  test('places are construct paths and props', () => {
    const locate = createConstructLocator(new Map([['ModelCache default/weights', 'main/weights']]));
    expect(locate(cache, ['spec', 'huggingFace', 'repo'])).toBe('main/weights huggingFace.repo');
    expect(locate(cache, [])).toBe('main/weights');
  });
});
