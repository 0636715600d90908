import { toCanonicalLabel, toCanonicalLabels } from '../../src/api/labels';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { modelplaneReplicaNameOf } from '../../src/manifest/kubernetes/object-names';
import { Workspace } from '../cli/cli';
import { declared, type Deployment, FILES, objectsIn, podsOf } from './set';

let rendered: Manifest[];
beforeAll(() => {
  const work = new Workspace().write(FILES);
  work.run('synth ./fleet --ephemeral --out ./out');
  const written = Object.entries(work.files()).filter(([path]) => /^out\/.*\.yaml$/.test(path));
  // Pickers and proxies in front of pairs are no engines.
  rendered = objectsIn<Manifest>(written.map(([, text]) => text)).filter(
    ({ metadata }) => !/picker/.test(metadata.labels['app.kubernetes.io/component'] ?? ''),
  );
  work.remove();
});

describe('what is rendered', () => {
  test('pins every pod to its pool by the label that nodes of the alias group have', () => {
    const pools = declared<{ spec: { nodePools?: { name: string }[] } }>('InferenceCluster')
      .flatMap(({ spec }) => spec.nodePools ?? [])
      .map(({ name }) => name);
    for (const { spec } of rendered.flatMap(podsOf)) {
      const selector = spec['nodeSelector'] as Labels;
      expect(Object.keys(selector)).toEqual(['modelplane.ai/pool']);
      expect(pools).toContain(selector['modelplane.ai/pool']);
    }
  });

  test('labels every pod as tools of the alias group select it, and names the replica on those that serve', () => {
    const pods = rendered.flatMap(podsOf);
    const peer = pods.map(({ metadata: { labels }, spec }) => ({
      deployment: labels['modelplane.ai/deployment'] === labels['fleetwright.dev/deployment'],
      pool: labels['modelplane.ai/pool'] === (spec['nodeSelector'] as Labels)['modelplane.ai/pool'],
      serving: /-[0-9a-f]{5}$/.test(labels['modelplane.ai/serving'] ?? ''),
    }));
    const serving = pods.map(({ metadata: { labels } }) => 'fleetwright.dev/serving' in labels);
    expect(new Set(serving)).toEqual(new Set([true, false]));
    expect(peer).toEqual(serving.map((serves) => ({ deployment: true, pool: true, serving: serves })));
  });

  test('names a replica as the alias group does', () => {
    expect(modelplaneReplicaNameOf('my-model', 'cluster-a', 0)).toBe('my-model-5ab63');
    expect(modelplaneReplicaNameOf('my-model', 'cluster-a', 1)).toBe('my-model-609c5');
    expect(modelplaneReplicaNameOf(`${'a'.repeat(56)}-b`, 'c', 0)).toMatch(/^a{56}-[0-9a-f]{5}$/);
  });

  test('tells pods of gangs where their leader is and which rank they have, before users refer to it', () => {
    const bootstrap = ['MODELPLANE_LEADER_ADDRESS', 'MODELPLANE_RANK'];
    const reported = rendered.flatMap((manifest) =>
      podsOf(manifest).map(({ spec }) => ({
        kind: manifest.kind,
        names: ((spec.containers[0]['env'] ?? []) as { name: string }[]).map(({ name }) => name),
      })),
    );
    const kinds = new Set(reported.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['Deployment', 'LeaderWorkerSet']));
    for (const { kind, names } of reported) {
      const found = names.slice(0, 5).filter((name) => bootstrap.includes(name));
      expect(found).toEqual(kind === 'LeaderWorkerSet' ? bootstrap : []);
    }
  });

  test.each(members())('has all that the user wrote: %s', (_, labels, { template }) => {
    const [container] = template.spec.containers;
    const pods = rendered.flatMap(podsOf).filter(({ metadata }) => has(metadata.labels, labels));
    expect(pods.length).toBeGreaterThan(0);
    for (const { metadata, spec } of pods) {
      const [{ image, command, args = [], env = [] }] = spec.containers as unknown as [Wrote];
      const { args: wroteArgs = [], env: wroteEnv = [], ...wrote } = container as unknown as Wrote;
      expect({ name: 'engine', image, ...(command && { command }) }).toEqual(wrote);
      expect(args.slice(0, wroteArgs.length)).toEqual(wroteArgs);
      expect(env.slice(env.length - wroteEnv.length)).toEqual(wroteEnv);
      expect(spec['imagePullSecrets']).toEqual(template.spec.imagePullSecrets);
      expect(metadata.annotations).toEqual(template.metadata?.annotations);
      expect(metadata.labels).toMatchObject(template.metadata?.labels ?? {});
    }
  });

  test('gives the model of a cache to an engine whose args name none', () => {
    expect(lastArgs('qwen-72b')).toEqual(['--model=/mnt/models', '--model=/mnt/models']);
    expect(lastArgs('qwen3-coder')).toEqual(['--model=/mnt/models', expect.stringContaining('exec vllm serve')]);
  });

  test('gives every rank of a pair what NIXL needs, and puts the proxy sidecar before the engine that decodes', () => {
    const pair = objectsOf('kimi-k2').flatMap(podsOf);
    const nixl = pair.map(({ spec }) => {
      const env = (spec.containers[0]['env'] ?? []) as { name: string }[];
      return env.map(({ name }) => name).filter((name) => name.startsWith('VLLM_NIXL_'));
    });
    expect(nixl).toEqual([
      ['VLLM_NIXL_SIDE_CHANNEL_HOST', 'VLLM_NIXL_SIDE_CHANNEL_PORT'],
      ['VLLM_NIXL_SIDE_CHANNEL_HOST', 'VLLM_NIXL_SIDE_CHANNEL_PORT'],
    ]);
    const sidecars = pair.flatMap(({ spec }) => (spec['initContainers'] ?? []) as { args: string[] }[]);
    expect(sidecars.map(({ args }) => args[1]).filter((arg) => arg)).toEqual(['--vllm-port=8001']);
  });

  test('claims network cards that have a driver, and none that only narrow', () => {
    const eight = '"deviceClassName":"gpu.nvidia.com" "count":8';
    const both = `${eight} "deviceClassName":"efa.networking.k8s.aws" "count":16`;
    expect(claimed('qwen3-coder')).toEqual([both, both]);
    expect(claimed('research')).toEqual([eight]);
  });

  test.each(entries())('has what the selector of a service finds: %s', (_, matchLabels) => {
    const endpoints = declared('ModelEndpoint').map(({ metadata }) => toCanonicalLabels(metadata.labels ?? {}));
    const workloads = rendered.map(({ metadata }) => metadata.labels);
    const wanted = Object.entries(matchLabels).map(([key, value]) => [toCanonicalLabel(key), value]);
    const found = [...endpoints, ...workloads].filter((labels) => has(labels, Object.fromEntries(wanted)));
    expect(found).not.toEqual([]);
  });
});

type Labels = Readonly<Record<string, string>>;
type Member = Deployment['spec']['template']['spec']['engines'][number]['members'][number];

/** What a user may write in a container. */
interface Wrote {
  image: string;
  command?: string[];
  args?: string[];
  env?: unknown[];
}

/** What is rendered for a deployment. */
function objectsOf(deployment: string): Manifest[] {
  return rendered.filter(({ metadata }) => metadata.labels['fleetwright.dev/deployment'] === deployment);
}

function lastArgs(deployment: string): unknown[] {
  return objectsOf(deployment)
    .flatMap(podsOf)
    .map(({ spec }) => (spec.containers[0]['args'] as string[]).at(-1));
}

/** The device classes and counts of each claim template. */
function claimed(deployment: string): string[] {
  return objectsOf(deployment)
    .filter(({ kind }) => kind === 'ResourceClaimTemplate')
    .map(({ spec }) =>
      JSON.stringify(spec)
        .match(/"deviceClassName":"[^"]+"|"count":\d+/g)!
        .join(' '),
    );
}

/** Every member of every deployment, with the labels of its pods. */
function members(): [string, Labels, Member][] {
  return declared<Deployment>('ModelDeployment').flatMap(({ metadata: { name }, spec }) =>
    spec.template.spec.engines.flatMap(({ name: engine, members }) =>
      members.map((member): [string, Labels, Member] => {
        const { role = 'Standalone' } = member;
        const labels = { deployment: name, engine, role };
        return [`${name} ${engine} ${role}`, prefixed(labels), member];
      }),
    ),
  );
}

/** The selector of every entry of every service. */
function entries(): [string, Labels][] {
  const services = declared<{ spec: { endpoints: { selector: { matchLabels: Labels } }[] } }>('ModelService');
  return services
    .flatMap(({ spec }) => spec.endpoints)
    .map(({ selector: { matchLabels } }) => [JSON.stringify(matchLabels), matchLabels]);
}

function prefixed(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [`fleetwright.dev/${key}`, value]));
}

function has(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}
