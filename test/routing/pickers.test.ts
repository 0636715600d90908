import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { jsonSchemaOf } from '../../src/api/json-schema';
import { modelService } from '../../src/api/model-service';
import type { Resource } from '../../src/api/kinds';
import { renderCluster } from '../../src/render/cluster';
import { aMember, anEngine, type Doc, parsed } from '../api/build';
import { aDoor, aModel, aSite, aSplit, decided, routed, to, warned, wrong } from './build';

const app = { app: 'chat' };
const door = aDoor(['a']);
const chat = (spec: Doc = {}) => aSplit('ml/chat', [to(app)], spec);
const fleet = (picker: string) => parsed('Fleet', 'main', { defaults: { picker } });

function engine(image: string, ...args: string[]): Doc {
  const container = { name: 'engine', image, args };
  return anEngine('main', { members: [aMember({ template: { spec: { containers: [container] } } })] });
}

const vllm = (...args: string[]) => engine('vllm/vllm-openai:v0.23.0', 'm', ...args);
const model = (one = vllm()) => aModel('ml/llama', { replicaLabels: app, engines: [one] });

function kindOf(...resources: Resource[]): string | undefined {
  return routed(aSite('a'), door, ...resources).edges[0]?.backends[0]?.picker.kind;
}

describe('where the fleet says PrefixCache for all', () => {
  const all = fleet('PrefixCache');
  const cases: Record<string, { got: string | undefined; want: string }> = {
    'an engine that caches prefixes gets it': { got: kindOf(all, model(), chat()), want: 'PrefixCache' },
    'an engine whose cache is off does not': {
      got: kindOf(all, model(vllm('--no-enable-prefix-caching')), chat()),
      want: 'LeastRequest',
    },
    'an engine whose cache is off by default gets it once it is on': {
      got: kindOf(
        all,
        model(engine('openmmlab/lmdeploy:v0.9', 'lmdeploy', 'serve', 'api_server', 'm', '--enable-prefix-caching')),
        chat(),
      ),
      want: 'PrefixCache',
    },
    'an engine without such a cache that is known does not': {
      got: kindOf(all, model(engine('ghcr.io/huggingface/text-generation-inference:3.3', '--model-id=m')), chat()),
      want: 'LeastRequest',
    },
    'a service that says otherwise does not': {
      got: kindOf(all, model(), chat({ picker: 'LeastRequest' })),
      want: 'LeastRequest',
    },
    'a service with sessions keeps them': {
      got: kindOf(all, model(), chat({ sessionAffinity: { header: 'x-session' } })),
      want: 'ConsistentHash',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toBe(want));
});

const site = (inferenceCrds?: Doc) => aSite('a', { servingStack: inferenceCrds ? { inferenceCrds } : {} });

describe('a service with picker.pool', () => {
  const pool = chat({ picker: { pool: true } });

  function poolsOn(inferenceCrds?: Doc) {
    const cluster = site(inferenceCrds);
    const { fleet: all, replicas, routing, plan } = decided(cluster, door, model(), pool);
    const manifests = renderCluster(cluster, replicas, { fleet: all, routing });
    const needs = plan.mustExist
      .flatMap(({ objects }) => objects)
      .filter(({ kind }) => kind === 'CustomResourceDefinition');
    return { manifests, pools: manifests.filter(({ kind }) => kind === 'InferencePool'), needs };
  }

  test('gets an InferencePool next to its picker, in the namespace of its pods, as its schema says', () => {
    const { manifests, pools, needs } = poolsOn({ install: true });
    expect(needs).toEqual([]);
    expect(pools).toHaveLength(1);
    const { metadata, spec } = pools[0]!;
    expect(metadata.namespace).toBe('ml');
    const beside = manifests.filter((one) => one.metadata.name === metadata.name && one.metadata.namespace === 'ml');
    expect(beside.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'Service', 'InferencePool']));
    expect(spec).toEqual({
      selector: { matchLabels: expect.objectContaining({ 'fleetwright.dev/deployment': 'llama' }) as object },
      targetPorts: [{ number: 8000 }],
      endpointPickerRef: {
        group: '',
        kind: 'Service',
        name: metadata.name,
        port: { number: 9002 },
        failureMode: 'FailOpen',
      },
    });
    const file = join(__dirname, '../crds/inferencepools.inference.networking.k8s.io.yaml');
    const crd = parseYaml(readFileSync(file, 'utf8')) as {
      spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: Schema } } } }[] };
    };
    expect(unknownFields(spec, crd.spec.versions[0]!.schema.openAPIV3Schema.properties.spec)).toEqual([]);
  });

  test('needs the kind to be there where it is declared so', () => {
    const { pools, needs } = poolsOn({ install: false });
    expect(pools).toHaveLength(1);
    expect(needs).toMatchObject([
      { name: 'inferencepools.inference.networking.k8s.io', for: ['ModelService ml/chat'] },
    ]);
  });

  test('gets none, and a warning, where the kind is not there', () => {
    expect(poolsOn().pools).toEqual([]);
    expect(warned(site(), door, model(), pool)).toEqual([
      "ModelService ml/chat spec.picker.pool: no InferencePool is created on InferenceCluster a: the clusters lack the kind. Set 'servingStack.inferenceCrds: { install: true }', or 'install: false' where it is there already.",
    ]);
  });

  test('may be written as a word or as fields', () => {
    expect(kindOf(model(), chat({ picker: { kind: 'PrefixCache' } }))).toBe('PrefixCache');
    expect(JSON.stringify(jsonSchemaOf(modelService))).toContain(
      '{"type":"string","enum":["LeastRequest","ConsistentHash","PrefixCache"]}',
    );
    expect(() => chat({ picker: { kind: 'LeastRequest', pool: true } })).toThrow('no endpoint picker');
    expect(wrong(aSite('a'), door, model(), pool)).toEqual([]);
  });
});

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
}

/** Fields that a strict API server refuses. */
function unknownFields(value: unknown, schema: Schema): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownFields(one, schema.items ?? {}));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = schema.properties?.[key] ?? schema.additionalProperties;
    return next ? unknownFields(inner, next) : [key];
  });
}
