import { readFileSync } from 'node:fs';
import { App, Chart, Cron, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-30';
import {
  type ClusterReferences,
  Fleet,
  InferenceClass,
  InferenceCluster,
  InferenceGateway,
  ModelCache,
  ModelService,
} from '../../constructs/index';
import { cluster, deployment, EIGHT_GPUS, engine, objectsOf, refusal } from './build';

/** An object as a chart writes it. */
interface Written {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: object };
  readonly spec?: object;
  readonly rules?: readonly object[];
  readonly subjects?: readonly object[];
}

/** A cluster with a deployment, its cache, a claim of the program, and a service at a gateway. */
class Program {
  readonly app = new App();
  readonly fleet = new Fleet(this.app, 'main');
  readonly us = new InferenceCluster(this.fleet, 'us', {
    ...cluster(new InferenceClass(this.fleet, 'h100', EIGHT_GPUS), 6),
    storage: { sharedFilesystem: { storageClassName: 'nfs' } },
    gateway: { hostname: 'edge.test', tls: { issuer: { name: 'fleet' }, caRef: { name: 'ca' } } },
  });
  readonly cache = new ModelCache(this.fleet, 'weights', {
    namespace: 'ml',
    source: 'HuggingFace',
    huggingFace: {
      repo: 'Qwen/Qwen3-8B',
      revision: 'b968826d9c46dd6066d109eabc6255188de91218',
      authSecret: { name: 'hugging-face' },
    },
    sizeGiB: 40,
  });
  readonly adopted = new ModelCache(this.fleet, 'adopted', {
    namespace: 'ml',
    source: 'ExistingPVC',
    existingPVC: { claimName: 'research' },
  });
  readonly q = deployment(this.fleet, 'q', { modelCacheRef: this.cache, engines: [enginesWithAccount()] });
  readonly gang = deployment(this.fleet, 'gang', { engines: [gangEngine()] });
  readonly chat = new ModelService(this.fleet, 'chat', {
    namespace: 'ml',
    endpoints: [{ selector: { matchLabels: { 'fleetwright.dev/deployment': 'q' } } }],
    auth: { apiKeys: [{ name: 'bob', secretRef: { name: 'chat-keys' } }] },
  });
  readonly gateway = new InferenceGateway(this.fleet, 'public', {
    clusters: ['us'],
    hostname: 'models.test',
    public: true,
    tls: { issuer: { name: 'public' } },
    auth: { apiKeys: [{ name: 'alice', secretRef: { name: 'keys' } }] },
  });
  readonly placed = this.fleet.place({ lock: 'ephemeral' });
  readonly references: ClusterReferences<typeof kplus> = this.placed.references(kplus, this.us);
  readonly chart = new Chart(this.app, 'program', { namespace: 'ml' });

  /** The objects of the program. */
  written(): Written[] {
    return objectsOf(this.chart) as Written[];
  }

  /** The objects of the cluster. */
  emitted(kind: string, name = ''): Written[] {
    const all = objectsOf(this.placed.charts.get('us')) as Written[];
    return all.filter((one) => one.kind === kind && one.metadata.name.startsWith(name));
  }
}

function enginesWithAccount() {
  const main = engine();
  const [member] = main.members;
  if (!member) throw new Error('an engine has a member');
  const spec = { ...member.template.spec, serviceAccountName: 'engine', imagePullSecrets: [{ name: 'registry' }] };
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0' }] as const;
  return { ...main, copies: 2, members: [{ ...member, template: { spec: { ...spec, containers } } }] };
}

function gangEngine() {
  const main = engine(4);
  const [member] = main.members;
  if (!member) throw new Error('an engine has a member');
  const args = ['Qwen/Qwen3-8B', '--tensor-parallel-size=4', '--pipeline-parallel-size=2'];
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args }] as const;
  const leader = { ...member, role: 'Leader', template: { spec: { containers } } } as const;
  const worker = { ...member, role: 'Worker', worker: { nodes: 1 }, template: { spec: { containers } } } as const;
  return { ...main, bootstrap: 'Auto', members: [leader, worker] } as const;
}

const SERVICE = /^q-[0-9a-f]{6}$/;

const rows: Record<string, (program: Program) => void> = {
  'an Ingress sends requests to the Service of a deployment': (program) => {
    const backend = kplus.IngressBackend.fromService(program.references.deployment(program.q).service);
    new kplus.Ingress(program.chart, 'ingress', { rules: [{ path: '/q', backend }] });
    expect(program.written()).toMatchObject([
      {
        spec: {
          rules: [
            {
              http: {
                paths: [{ backend: { service: { name: expect.stringMatching(SERVICE), port: { number: 8000 } } } }],
              },
            },
          ],
        },
      },
    ]);
  },
  'or to the gateway that clients of a service reach': (program) => {
    const { service, services } = program.references.service(program.chat);
    new kplus.Ingress(program.chart, 'ingress', { defaultBackend: kplus.IngressBackend.fromService(service) });
    expect(program.written()).toMatchObject([
      {
        spec: { defaultBackend: { service: { name: expect.stringMatching(/^front-public-/), port: { number: 443 } } } },
      },
    ]);
    expect(service.metadata.namespace).toBe('fleetwright-system');
    expect([...services.keys()]).toEqual(['fleetwright-edge', service.name]);
  },
  'a NetworkPolicy is for the pods of a deployment, and its rules admit those of another': (program) => {
    const [q, gang] = [program.q, program.gang].map((one) => program.references.deployment(one));
    const rules = [{ peer: gang!.pods, ports: [kplus.NetworkPolicyPort.tcp(8000)] }];
    new kplus.NetworkPolicy(new Chart(program.app, 'own'), 'policy', { selector: q!.pods, ingress: { rules } });
    const [policy] = objectsOf(program.app.node.findChild('own') as Chart) as Written[];
    const podSelector = { matchLabels: { 'fleetwright.dev/deployment': 'gang' } };
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'ml' } };
    expect(policy).toMatchObject({
      metadata: { namespace: 'ml' },
      spec: {
        podSelector: { matchLabels: { 'fleetwright.dev/deployment': 'q' } },
        ingress: [{ from: [{ podSelector, namespaceSelector }] }],
      },
    });
    expect(program.emitted('Deployment')).toMatchObject([
      { spec: { template: { metadata: { labels: { 'fleetwright.dev/deployment': 'q' } } } } },
    ]);
  },
  'the references of a cluster can be taken apart': (program) => {
    const { deployment: deploymentOf, cache, service } = program.references;
    expect(deploymentOf(program.q).namespace).toBe('ml');
    expect(cache(program.cache).claims.size).toBeGreaterThan(0);
    expect(service(program.chat).services.size).toBeGreaterThan(0);
  },
  'a reference adds no object, and what is said of its metadata is said of the object': (program) => {
    const { service } = program.references.deployment(program.q);
    service.metadata.addAnnotation('example.com/scrape', 'true');
    expect(program.emitted('Service', 'q-')).toMatchObject([
      { metadata: { namespace: 'ml', annotations: { 'example.com/scrape': 'true' } }, spec: { type: 'ClusterIP' } },
    ]);
  },
  'a program that grants a group read access to a Service adds a Role to its cluster, in its namespace': (program) => {
    const group = kplus.Group.fromName(program.chart, 'on-call', 'on-call');
    program.references.deployment(program.q).service.permissions.grantRead(group);
    const role = program.emitted('Role').find(({ rules }) => JSON.stringify(rules).includes('services'));
    expect(role).toMatchObject({
      metadata: { namespace: 'ml' },
      rules: [{ resources: ['services'], resourceNames: [expect.stringMatching(SERVICE)] }],
    });
  },
  'an autoscaler of the program scales the workload of an engine, whose object then has no number of pods': (
    program,
  ) => {
    const [workload, ...others] = program.references.deployment(program.q).workloads.values();
    expect(others).toEqual([]);
    const metric = kplus.Metric.external({
      name: 'queue',
      target: kplus.MetricTarget.averageValue(4),
    });
    new kplus.HorizontalPodAutoscaler(program.chart, 'scale', { target: workload!, maxReplicas: 2, metrics: [metric] });
    expect(program.written()).toMatchObject([
      { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: workload!.name } } },
    ]);
    expect(program.emitted('Deployment', 'q-').map(({ spec }) => 'replicas' in spec!)).toEqual([false]);
    expect(() => program.app.synthYaml()).not.toThrow();
  },
  'a gang is a workload, too': (program) => {
    const [workload] = program.references.deployment(program.gang).workloads.values();
    expect(workload).toMatchObject({ kind: 'LeaderWorkerSet', resourceType: 'leaderworkersets' });
    expect(workload!.toScalingTarget().containers.map(({ name }) => name)).toEqual(['engine']);
  },
  'an autoscaler without metrics is refused: the CPU of an engine does not show its load': (program) => {
    const [workload] = program.references.deployment(program.q).workloads.values();
    new kplus.HorizontalPodAutoscaler(program.chart, 'scale', { target: workload!, maxReplicas: 2 });
    expect(() => program.app.synthYaml()).toThrow('does not have metrics defined');
  },
  'a backup mounts the claim of a cache': (program) => {
    const [claim] = program.references.cache(program.cache).claims.values();
    const files = kplus.Volume.fromPersistentVolumeClaim(program.chart, 'files', claim!);
    const backup = new kplus.CronJob(program.chart, 'backup', { schedule: Cron.daily() });
    const storage = { ephemeralStorage: { request: Size.gibibytes(1) } };
    backup.addContainer({
      image: 'rclone/rclone:1.75.1',
      resources: storage,
      volumeMounts: [{ path: '/files', volume: files }],
    });
    expect(JSON.stringify(program.written())).toContain(`"claimName":"${claim!.name}"`);
    expect(program.emitted('PersistentVolumeClaim').map(({ metadata }) => metadata.name)).toEqual([claim!.name]);
  },
  'a cache that adopts claims refers to these': ({ adopted, references }) => {
    expect([...references.cache(adopted).claims.keys()]).toEqual(['research']);
  },
  'a Role is about the account of the pods, and a container reads the Secret that they read': (program) => {
    const { serviceAccounts, secrets } = program.references.deployment(program.q);
    const account = serviceAccounts.get('engine')!;
    new kplus.RoleBinding(program.chart, 'binding', {
      role: kplus.ClusterRole.fromClusterRoleName(program.chart, 'v', 'view'),
    }).addSubjects(account);
    expect(program.written()).toMatchObject([
      { subjects: [{ kind: 'ServiceAccount', name: 'engine', namespace: 'ml' }] },
    ]);
    expect([...secrets.keys()]).toEqual(['registry']);
    const env = kplus.EnvValue.fromSecretValue({ secret: secrets.get('registry')!, key: 'auth' });
    expect(env.valueFrom).toMatchObject({ secretKeyRef: { name: 'registry', key: 'auth' } });
    expect([...program.references.cache(program.cache).secrets.keys()]).toEqual(['hugging-face']);
    expect([...program.references.service(program.chat).secrets.keys()]).toEqual(['chat-keys']);
  },
  'a rule is about all objects of a deployment, each by its name': (program) => {
    const role = new kplus.Role(program.chart, 'role');
    role.allow(['get', 'patch'], ...program.references.deployment(program.q).objects);
    const [{ rules = [] } = {}] = program.written();
    expect(rules).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ apiGroups: ['apps'], resources: ['deployments'] }),
        expect.objectContaining({ apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'] }),
        expect.objectContaining({ apiGroups: [''], resources: ['services'] }),
      ]),
    );
    const names = program.references.deployment('ml/q').objects.map(({ resourceName }) => resourceName);
    expect(rules.flatMap((rule) => ('resourceNames' in rule ? rule.resourceNames : []))).toEqual(names);
  },
  'a program may ask twice': ({ placed, q, references }) => {
    expect(placed.references(kplus, 'us')).toBe(references);
    expect(references.deployment('ml/q')).toBe(references.deployment(q));
    expect(references.deployment(q).service).toBe(references.deployment(q).service);
    expect(references.deployment(q).pods).toBe(references.deployment(q).pods);
  },
  'and with another release of cdk8s-plus': ({ placed, q, references }) => {
    const other = { ...kplus };
    const { name } = references.deployment(q).service;
    expect(placed.references(other, 'us').deployment(q).service.name).toBe(name);
  },
  'what the fleet does not have is refused, with what it has': ({ placed, references, us }) => {
    expect(refusal(() => placed.references(kplus, 'uk'))).toEqual([
      'InferenceCluster uk: the fleet has no such cluster. Use one of us.',
    ]);
    expect(refusal(() => references.deployment('ml/p'))).toEqual([
      `ModelDeployment ml/p: it has no objects on ${us.name}. Use one of ml/gang, ml/q.`,
    ]);
    expect(refusal(() => references.cache('ml/weights').service)).toEqual([
      'ModelCache ml/weights on us: it has no Service. Ask for another resource.',
    ]);
    expect(refusal(() => references.cache('ml/weights').pods)).toEqual([
      'ModelCache ml/weights on us: only deployments have pods of engines. Ask for a deployment.',
    ]);
  },
};

test.each(Object.entries(rows))('%s', (_, check) => {
  check(new Program());
});

test('objects of a cluster are the same whether a program asks for references or not', () => {
  const [asked, plain] = [new Program(), new Program()];
  for (const references of [asked.references.deployment(asked.q), asked.references.cache(asked.cache)]) {
    expect(references.objects.length).toBeGreaterThan(0);
    expect([...references.services.keys(), ...references.claims.keys(), ...references.secrets.keys()]).not.toEqual([]);
  }
  expect(objectsOf(asked.placed.charts.get('us'))).toEqual(objectsOf(plain.placed.charts.get('us')));
});

test('docs/cdk8s.md shows the program of examples/house-objects', () => {
  const page = readFileSync('docs/cdk8s.md', 'utf8');
  const code = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text.trim());
  const [main, declarations] = ['main', 'fleet'].map((name) =>
    readFileSync(`examples/house-objects/${name}.ts`, 'utf8'),
  );
  expect(main).toContain(code[0]);
  expect(declarations).toContain(code[1]);
  expect(code).toHaveLength(2);
});
