import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster, InferenceGateway, ModelService } from '../../constructs/index';
import { FleetStack } from '../../stacks/index';
import { cluster, deployment, EIGHT_GPUS, engine } from '../constructs/build';
import { record } from './record';

/** Without an engine, warnings go to the console. */
beforeEach(() => void jest.spyOn(console, 'warn').mockImplementation());
afterEach(() => jest.restoreAllMocks());

test.each([
  ['us', ['ml/chat']],
  ['eu', []],
])('the stack of one cluster tells those of its own front doors: %s', async (name, want) => {
  let keys: unknown;
  await record(() => {
    const fleet = new Fleet(new App(), 'main');
    const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
    const tls = { issuer: { name: 'fleet' }, caRef: { name: 'ca' } };
    for (const site of ['us', 'eu']) {
      const gateway = { tls, hostname: `${site}.example.com` };
      new InferenceCluster(fleet, site, { ...cluster(h100), gateway });
    }
    deployment(fleet, 'q', { engines: [engine(1)] });
    new InferenceGateway(fleet, 'default', { clusters: ['us'], hostname: 'models.example.com' });
    const selector = { matchLabels: { 'fleetwright.dev/deployment': 'q' } };
    new ModelService(fleet, 'chat', { namespace: 'ml', endpoints: [{ selector }] });
    const kubeconfigs = { us: 'token: abc', eu: 'token: abc' };
    const { routing } = new FleetStack('models', {
      fleet,
      kubeconfigs,
      cluster: name,
      lockMode: 'ephemeral',
    });
    keys = routing.services.map(({ key }) => key);
  });
  expect(keys).toEqual(want);
});

test('a stack reports how requests reach what it serves', async () => {
  let routing: unknown;
  await record(() => {
    const fleet = new Fleet(new App(), 'main');
    const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
    const tls = { issuer: { name: 'fleet' }, caRef: { name: 'ca' } };
    new InferenceCluster(fleet, 'us', { ...cluster(h100), gateway: { tls } });
    deployment(fleet, 'q', { engines: [engine(1)] });
    new InferenceGateway(fleet, 'default', { clusters: ['us'], hostname: 'models.example.com' });
    const selector = { matchLabels: { 'fleetwright.dev/cluster': 'us' } };
    new ModelService(fleet, 'chat', { namespace: 'ml', endpoints: [{ selector }] });
    const kubeconfigs = { us: 'token: abc' };
    ({ routing } = new FleetStack('models', { fleet, kubeconfigs, lockMode: 'ephemeral' }));
  });
  expect(routing).toMatchObject({
    kind: 'Routing',
    version: 1,
    digest: expect.stringMatching(/^sha256:/) as string,
    services: [{ key: 'ml/chat', urls: [{ url: 'http://models.example.com/ml/chat/' }] }],
    routes: [{ deployment: 'ml/q', cluster: 'us', share: '1' }],
  });
});
