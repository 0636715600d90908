import { anEndpoint, anEngine, aMember, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, routed, sharesOf, to } from '../routing/build';

const east = aSite('east');
const door = aDoor(['east']);
const both = { app: 'chat' };
const chat = aSplit('ml/chat', [to(both)]);

function sglang(phase: string, flags: string): Doc {
  const args = [`exec python3 -m sglang.launch_server --model-path m --host 0.0.0.0 ${flags}`];
  const container = { name: 'engine', image: 'lmsysorg/sglang:v0.5', command: ['sh', '-c'], args };
  const members = [aMember({ template: { spec: { containers: [container] } } })];
  return anEngine(phase.toLowerCase(), { phase, members });
}

describe('what the peer gets wrong in routing, and we do not:', () => {
  test('a service sends nothing to what has the same name and labels in another namespace', () => {
    const models = ['ml/llama', 'other/llama'].map((name) => aModel(name, { replicaLabels: both }));
    const { services, edges } = routed(east, door, ...models, chat, aSplit('other/chat', [to(both)]));
    expect(services.map(sharesOf)).toEqual([[['0 1 0.llama.chat.ml.east']], [['0 1 0.llama.chat.other.east']]]);
    const targets = edges[0]!.backends.map(({ deployment, target }) => [deployment.namespace, target.service]);
    expect(targets.map(([namespace]) => namespace)).toEqual(['ml', 'other']);
    expect(new Set(targets.map(([, service]) => service)).size).toBe(2);
  });

  test('a replica counts as ready by its engine, whatever its endpoint picker does', () => {
    const picked = aSplit('ml/chat', [to(both)], { picker: 'PrefixCache' });
    const [backend] = routed(east, door, aModel('ml/llama', { replicaLabels: both }), picked).edges[0]!.backends;
    expect(backend).toMatchObject({
      picker: { kind: 'PrefixCache' },
      enginePath: '/health',
      health: { interval: 10 },
      target: { service: expect.stringMatching(/^llama-/) as string, port: 8000 },
    });
  });

  test('an external HTTPS endpoint gets its own Host, name in TLS and credential', () => {
    const saas = anEndpoint('ml/saas', {
      labels: both,
      url: 'https://api.example.com/v1',
      credential: { secretRef: { name: 'key' } },
    });
    expect(routed(east, door, saas, chat).egresses[0]!.backends[0]).toMatchObject({
      host: 'api.example.com',
      port: 443,
      tls: { serverName: 'api.example.com' },
      credential: { header: 'authorization', scheme: 'Bearer', secret: { name: 'key' } },
    });
  });

  test('an endpoint picker counts by blocks of the engine that answers, also where a script sets them', () => {
    const engines = [sglang('Prefill', '--port 8000 --page-size 16'), sglang('Decode', '--port 8001 --page-size 32')];
    const pair = aModel('ml/pair', { replicaLabels: both, serving: { mode: 'PrefillDecode' }, engines });
    expect(routed(east, door, pair, chat).edges[0]!.backends[0]!.picker).toEqual({
      kind: 'PrefixCache',
      mode: 'PrefillDecode',
      blockSize: 32,
    });
  });
});
