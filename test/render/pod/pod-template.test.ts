import { z } from 'zod';
import { podTemplate } from '../../../src/api/pod/pod-template';
import { aDeployment, aMember, type Doc } from '../../api/build';
import { FULL_POD } from '../../api/full-pod';
import { lost } from '../../kubernetes/strict/lost';
import { pick, pods } from '../build';

/** What a pod becomes whose template says this next to its one container. */
function podWith(spec: Doc, container: Doc = {}, role = 'Standalone'): Doc {
  const own = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', ...container };
  const template = { spec: { containers: [own], ...spec } };
  const members =
    role === 'Standalone'
      ? [aMember({ template })]
      : [aMember({ role: 'Leader', template }), aMember({ role: 'Worker', template })];
  return pods(aDeployment('ml/qwen3', { engines: [{ name: 'main', members }] }))[role]!.spec;
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema | Schema[];
  additionalItems?: Schema;
  prefixItems?: Schema[];
}

/** The paths of all fields of a schema that a value leaves out, whichever item of a list has them. */
function unused(schema: Schema, values: unknown[], path: string): string[] {
  const lists = values.filter(Array.isArray);
  if (Array.isArray(schema.items)) {
    const { items, additionalItems = {} } = schema;
    return [
      ...items.flatMap((item, i) =>
        unused(
          item,
          lists.map((list) => list[i]),
          `${path}[${i}]`,
        ),
      ),
      ...unused(
        additionalItems,
        lists.flatMap((list) => list.slice(items.length)),
        `${path}[more]`,
      ),
    ];
  }
  if (schema.items) return unused(schema.items, lists.flat(), `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const found = values.map((value) => (value as Doc | undefined)?.[key]).filter((value) => value !== undefined);
    return found.length === 0 ? [`${path}.${key}`] : unused(inner, found, `${path}.${key}`);
  });
}

describe('every field that a template may have', () => {
  test('is in the template that the rows below use', () => {
    const schema = z.toJSONSchema(podTemplate.unwrap().shape.spec, { target: 'draft-07', io: 'input' }) as Schema;
    const elsewhere =
      /env\[\]\.valueFrom\.(configMapKeyRef|fieldRef)|Probe\.(httpGet|exec|tcpSocket|grpc)|\.(postStart|preStop)\.|securityContext\.privileged$/;
    expect(unused(schema, [FULL_POD], 'spec').filter((path) => !elsewhere.test(path))).toEqual([]);
  });

  test.each(['Standalone', 'Leader', 'Worker'])('is in the pod of a %s as it was written', (role) => {
    const { containers, volumes, initContainers, ...rest } = podWith(FULL_POD, {}, role) as Doc & {
      containers: Doc[];
      volumes: Doc[];
    };
    const {
      containers: own,
      volumes: ownVolumes,
      ...ownRest
    } = FULL_POD as typeof FULL_POD & {
      containers: Doc[];
      volumes: Doc[];
    };
    const engineEnv = own[0]!.env as Doc[];
    expect(containers[0]!.env).toEqual(expect.arrayContaining(engineEnv));
    expect(volumes).toEqual(expect.arrayContaining(ownVolumes));
    // What it requests is computed with its replica.
    const { env: _, resources: __, volumeMounts, ...engine } = own[0]!;
    expect(containers[0]!.volumeMounts).toEqual(expect.arrayContaining(volumeMounts as Doc[]));
    expect(lost([engine, ...own.slice(1)], containers, 'containers')).toEqual([]);
    expect(lost(ownRest, { ...rest, initContainers }, 'spec')).toEqual([]);
  });
});

const shm = { name: 'shared-memory', emptyDir: { medium: 'Memory' } };
const claim = { name: 'scratch', emptyDir: {} };
const DEFAULT = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

describe('between ours and theirs', () => {
  interface Case {
    spec?: Doc;
    container?: Doc;
    /** Fields of the pod, and of its first container. */
    want?: Doc;
    wantContainer?: Doc;
  }
  const cases: Record<string, Case> = {
    'our volumes come first': { spec: { volumes: [claim] }, want: { volumes: [shm, claim] } },
    'shared memory of the user takes the place of ours': {
      spec: { volumes: [claim] },
      container: { volumeMounts: [{ name: 'scratch', mountPath: '/dev/shm' }] },
      want: { volumes: [claim] },
      wantContainer: { volumeMounts: [{ name: 'scratch', mountPath: '/dev/shm' }] },
    },
    'shared memory that another container mounts stays': {
      spec: {
        volumes: [claim],
        initContainers: [{ name: 'a', image: 'b', volumeMounts: [{ name: 'shared-memory', mountPath: '/shm' }] }],
      },
      container: { volumeMounts: [{ name: 'scratch', mountPath: '/dev/shm' }] },
      want: { volumes: [shm, claim] },
    },
    'probes of the user replace ours one by one': {
      container: { readinessProbe: { tcpSocket: { port: 8000 } } },
      wantContainer: {
        readinessProbe: { tcpSocket: { port: 8000 } },
        startupProbe: expect.objectContaining({ httpGet: expect.anything() as unknown }),
      },
    },
    'the grace of the user replaces ours, and what we wait of it is half at most': {
      spec: { terminationGracePeriodSeconds: 5 },
      container: { image: 'lmsysorg/sglang:v0.5', command: ['python3', '-m', 'sglang.launch_server'] },
      want: { terminationGracePeriodSeconds: 5 },
      wantContainer: { lifecycle: { preStop: { sleep: { seconds: 2 } } } },
    },
    'what happens after its start is next to what happens before its end': {
      container: {
        image: 'lmsysorg/sglang:v0.5',
        command: ['python3', '-m', 'sglang.launch_server'],
        lifecycle: { postStart: { exec: { command: ['true'] } } },
      },
      wantContainer: {
        lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { sleep: { seconds: 15 } } },
      },
    },
    'an identity of the pod is next to our profile of system calls': {
      spec: { securityContext: { runAsUser: 1000 } },
      want: { securityContext: { seccompProfile: { type: 'RuntimeDefault' }, runAsUser: 1000 } },
    },
    'an identity of the container is next to what we take from it': {
      container: { securityContext: { runAsNonRoot: true } },
      wantContainer: { securityContext: { ...DEFAULT, runAsNonRoot: true } },
    },
    'a capability is added to none': {
      container: { securityContext: { capabilities: { add: ['IPC_LOCK'] } } },
      wantContainer: { securityContext: { ...DEFAULT, capabilities: { drop: ['ALL'], add: ['IPC_LOCK'] } } },
    },
    'capabilities are kept that the user says': {
      container: { securityContext: { capabilities: { drop: ['NET_RAW'] } } },
      wantContainer: { securityContext: { ...DEFAULT, capabilities: { drop: ['NET_RAW'] } } },
    },
    'a privileged container has every right': {
      container: { securityContext: { privileged: true } },
      wantContainer: { securityContext: { privileged: true } },
    },
    'a spread without a selector is over the pods of the engine': {
      spec: {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
        ],
      },
      want: {
        topologySpreadConstraints: [
          {
            labelSelector: {
              matchLabels: {
                'fleetwright.dev/deployment': 'qwen3',
                'fleetwright.dev/replica-index': '0',
                'fleetwright.dev/engine': 'main',
              },
            },
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
          },
        ],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { spec, container, want = {}, wantContainer = {} }) => {
    const pod = podWith(spec ?? {}, container) as Doc & { containers: [Doc] };
    expect(pick(pod, want)).toEqual(want);
    expect(pick(pod.containers[0], wantContainer)).toEqual(wantContainer);
  });

  test('containers of the user get no more rights than ours', () => {
    const [own] = podWith({}).containers as [Doc];
    const pod = podWith({
      containers: [own, { name: 'logs', image: 'logs:1' }].map(({ name, image }) => ({ name, image })),
      initContainers: [{ name: 'warm', image: 'warm:1' }],
    }) as Doc & { containers: [Doc, Doc]; initContainers: [Doc] };
    expect(pod.containers[1]).toEqual({ name: 'logs', image: 'logs:1', securityContext: DEFAULT });
    expect(pod.initContainers).toEqual([{ name: 'warm', image: 'warm:1', securityContext: DEFAULT }]);
  });
});

test('groups of the user stand next to that of caches, each of them once', () => {
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0' }];
  const template = { spec: { containers, securityContext: { supplementalGroups: [1000, 2000] } } };
  const engines = [{ name: 'main', members: [aMember({ template })] }];
  const { spec } = pods(aDeployment('ml/qwen3', { engines, cache: 'weights' })).Standalone!;
  expect(spec.securityContext).toMatchObject({ supplementalGroups: [1000, 2000] });
});

test('nodes that the user prefers stand next to the pods that we prefer', () => {
  const preference = { matchExpressions: [{ key: 'example.com/rack', operator: 'Exists' }] };
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference }],
  };
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0' }];
  const template = { spec: { containers, affinity: { nodeAffinity } } };
  const engines = [{ name: 'main', members: [aMember({ template })] }];
  const { spec } = pods(aDeployment('ml/qwen3', { engines }), { small: true }).Standalone!;
  expect(spec.affinity).toMatchObject({ nodeAffinity, podAffinity: {} });
});
