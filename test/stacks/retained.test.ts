import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster } from '../../constructs/index';
import { FleetStack, type FleetStackArgs, type RetainedObject } from '../../stacks/index';
import { cluster, deployment, EIGHT_GPUS, engine } from '../constructs/build';
import { PlayedCluster } from './played-cluster';
import { record, type Registered } from './record';

beforeEach(() => void jest.spyOn(console, 'warn').mockImplementation());
afterEach(() => jest.restoreAllMocks());

interface Stack {
  readonly all: readonly Registered[];
  readonly retained: readonly RetainedObject[];
}

interface Options extends Pick<FleetStackArgs, 'keepData' | 'waves' | 'workloads'> {
  readonly replicas?: number;
}

/** A stack of a cluster of some name, with a deployment and a serving stack. */
async function stackOf(name: string, { replicas = 1, ...args }: Options = {}): Promise<Stack> {
  let retained: readonly RetainedObject[] = [];
  const all = await record(
    () => {
      const fleet = new Fleet(new App(), 'main');
      const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
      const props = cluster(h100);
      const servingStack = { inferenceCrds: { install: true } };
      new InferenceCluster(fleet, name, { ...props, namespaces: 'Managed', servingStack });
      deployment(fleet, 'q', { replicas, engines: [engine(1)] });
      const stack = new FleetStack('models', {
        fleet,
        kubeconfigs: { [name]: 'token: abc' },
        lockMode: 'ephemeral',
        ...args,
      });
      retained = stack.retained[name] ?? [];
    },
    'models',
    args.workloads === 'files',
  );
  return { all, retained };
}

/** The same registrations, as if no name were given for owners of fields. */
function withoutManager({ all }: Stack): Registered[] {
  return all.map((one) => JSON.parse(JSON.stringify(one).replace('pulumi.com/patchFieldManager', 'other')));
}

describe('what stays on a cluster', () => {
  test('is taken over by a stack that calls the cluster by another name', async () => {
    const [before, after] = [await stackOf('us'), await stackOf('renamed')];
    const played = new PlayedCluster();
    expect(played.create(before.all)).toEqual([]);
    played.destroy(before.all);
    expect(played.create(after.all)).toEqual([]);
  });

  test('would be a conflict of owners without a fixed name for them', async () => {
    const [before, after] = [withoutManager(await stackOf('us')), withoutManager(await stackOf('renamed'))];
    const played = new PlayedCluster();
    played.create(before);
    played.destroy(before);
    expect(played.create(after)).toContainEqual(
      expect.stringMatching(
        /^Namespace ml: conflict with pulumi-kubernetes-1-.*: \.metadata\.labels\.fleetwright\.dev\/cluster$/,
      ),
    );
  });

  test('is not overwritten where another owner set a field', async () => {
    const played = new PlayedCluster();
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    played.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ml', labels } }, 'admin');
    expect(played.create((await stackOf('us')).all)).toEqual([
      'Namespace ml: conflict with admin: .metadata.labels.pod-security.kubernetes.io/enforce',
    ]);
  });

  test.each([
    ['with its data', {}],
    ['without its data', { keepData: false }],
    ['where its objects are files', { workloads: 'files' as const }],
    ['where replicas are replaced in waves', { replicas: 2 }],
    ['where two replicas are replaced at once', { replicas: 2, waves: false }],
  ])('%s is what the stack lists, and its commands remove all of it', async (_, args) => {
    const { all, retained } = await stackOf('us', args);
    const played = new PlayedCluster();
    played.create(all);
    played.destroy(all);
    expect(retained.map(({ object }) => object).toSorted()).toEqual(played.objects);
    expect(retained.length).toBeGreaterThan(0);
    for (const { remove } of retained) played.run(remove);
    expect(played.objects).toEqual([]);
  });

  test.each([
    ['of a single replica stay', {}, true],
    ['of replicas that are replaced at once stay', { replicas: 2, waves: false }, true],
    ['of replicas that are replaced in waves, for which an update waits, go', { replicas: 2 }, false],
    ['of such replicas go also where data goes', { replicas: 2, keepData: false }, false],
  ])('claim templates %s', async (_, args, stays) => {
    const { all, retained } = await stackOf('us', args);
    const templates = all.filter(({ type }) => type.endsWith(':ResourceClaimTemplate'));
    expect(templates.length).toBeGreaterThan(0);
    expect(templates.map(({ retainOnDelete }) => retainOnDelete)).toEqual(templates.map(() => stays));
    expect(retained.some(({ object }) => object.startsWith('ResourceClaimTemplate '))).toBe(stays);
    // A template that stayed before there were several replicas is taken over.
    for (const { inputs } of templates) {
      expect(inputs).toMatchObject({ metadata: { annotations: { 'pulumi.com/patchFieldManager': 'fleetwright' } } });
    }
  });

  test('is listed in the order in which it can be removed, each with the reason and the command', async () => {
    expect((await stackOf('us')).retained).toEqual([
      {
        object: expect.stringMatching(/^ResourceClaimTemplate ml\/q-/),
        because: 'a rollout in progress creates pods from it',
        remove: expect.stringMatching(/^kubectl delete resourceclaimtemplate\.resource\.k8s\.io q-\S+ --namespace ml$/),
      },
      {
        object: 'CustomResourceDefinition inferencepools.inference.networking.k8s.io',
        because: 'its removal deletes all objects of its kind',
        remove:
          'kubectl delete customresourcedefinition.apiextensions.k8s.io inferencepools.inference.networking.k8s.io',
      },
      {
        object: 'Namespace ml',
        because: 'its removal deletes everything in it, including objects of other workloads',
        remove: 'kubectl delete namespace ml',
      },
      ...['dra-driver-nvidia-gpu', 'lws-system', 'node-feature-discovery'].map((name) => ({
        object: `Namespace ${name}`,
        because: 'Helm created it for a release unless it existed before, and does not delete namespaces',
        remove: `kubectl delete namespace ${name}`,
      })),
    ]);
  });
});
