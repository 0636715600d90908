import type { Doc } from './build';

const probe = { initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 60 };
const httpGet = {
  path: '/v1/health/ready',
  port: 8000,
  scheme: 'HTTPS',
  httpHeaders: [{ name: 'X-Probe', value: 'yes' }],
};
const items = [{ key: 'a', path: 'sub/a' }];
const security = {
  runAsUser: 1000,
  runAsGroup: 1000,
  runAsNonRoot: true,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  capabilities: { add: ['NET_BIND_SERVICE', 'IPC_LOCK'], drop: ['ALL'] },
  seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/engine.json' },
};

const common = {
  imagePullPolicy: 'Always',
  command: ['sh', '-c'],
  args: ['exec run "$@"', '--', 'on'],
  workingDir: '/srv',
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { secretKeyRef: { name: 'hub', key: 'token', optional: true } } },
  ],
  envFrom: [
    { prefix: 'HUB_', secretRef: { name: 'hub', optional: true } },
    { configMapRef: { name: 'settings', optional: false } },
  ],
  resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
  startupProbe: { exec: { command: ['true'] }, ...probe, terminationGracePeriodSeconds: 30 },
  readinessProbe: { httpGet, ...probe, successThreshold: 2 },
  livenessProbe: { tcpSocket: { port: 8000 }, ...probe, terminationGracePeriodSeconds: 30 },
  lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { sleep: { seconds: 10 } } },
  securityContext: security,
};

/** A pod spec, as users write it, that has every field that a pod template may have. */
export const FULL_POD: Doc = {
  containers: [
    {
      name: 'engine',
      image: 'registry.example.com/engine:1',
      ...common,
      volumeMounts: [
        { name: 'scratch', mountPath: '/scratch', subPath: 'a/b', readOnly: true },
        { name: 'settings', mountPath: '/etc/engine' },
      ],
    },
    {
      name: 'logs',
      image: 'registry.example.com/logs:1',
      ...common,
      ports: [{ name: 'logs', containerPort: 9100, protocol: 'TCP' }],
      startupProbe: { grpc: { port: 9100, service: 'logs' }, ...probe, terminationGracePeriodSeconds: 5 },
      lifecycle: { ...common.lifecycle, preStop: { httpGet: { path: '/stop', port: 9100 } } },
      volumeMounts: [{ name: 'shared-memory', mountPath: '/dev/shm', subPath: 'x', readOnly: true }],
    },
  ],
  initContainers: [
    {
      name: 'warm',
      image: 'registry.example.com/warm:1',
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    },
    {
      name: 'proxy',
      image: 'registry.example.com/proxy:1',
      ...common,
      restartPolicy: 'Always',
      ports: [{ name: 'proxy', containerPort: 9200, protocol: 'UDP' }],
      volumeMounts: [{ name: 'all', mountPath: '/all', subPath: 'x', readOnly: true }],
    },
  ],
  volumes: [
    { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    { name: 'settings', configMap: { name: 'settings', items, optional: true } },
    { name: 'keys', secret: { secretName: 'keys', items, optional: true } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } },
    { name: 'archive', nfs: { server: 'nfs.example.com', path: '/archive', readOnly: true } },
    {
      name: 'vault',
      csi: {
        driver: 'secrets-store.csi.k8s.io',
        readOnly: true,
        fsType: 'ext4',
        volumeAttributes: { secretProviderClass: 'engine' },
        nodePublishSecretRef: { name: 'vault' },
      },
    },
    {
      name: 'all',
      projected: {
        sources: [
          { configMap: { name: 'settings', items, optional: true } },
          { secret: { name: 'keys', items: [{ key: 'b', path: 'sub/b' }], optional: true } },
          { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 3600 } },
        ],
      },
    },
    { name: 'self', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
    { name: 'host', hostPath: { path: '/usr/local/nvidia', type: 'Directory' } },
  ],
  imagePullSecrets: [{ name: 'registry' }],
  serviceAccountName: 'engine',
  automountServiceAccountToken: true,
  priorityClassName: 'serving',
  schedulerName: 'packing',
  runtimeClassName: 'nvidia',
  terminationGracePeriodSeconds: 600,
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 10,
          preference: {
            matchExpressions: [
              { key: 'example.com/rack', operator: 'In', values: ['a', 'b'] },
              { key: 'example.com/age', operator: 'Lt', values: ['3'] },
            ],
          },
        },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: {
        matchLabels: { app: 'x' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold'] }],
      },
    },
  ],
  securityContext: {
    runAsUser: 1000,
    runAsGroup: 1000,
    runAsNonRoot: true,
    fsGroup: 1000,
    fsGroupChangePolicy: 'OnRootMismatch',
    supplementalGroups: [2000],
    seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/pod.json' },
  },
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['hub.example.com', 'hub'] }],
};

const PEERS = [
  {
    namespaceSelector: { matchLabels: { team: 'apps' } },
    podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['chat'] }] },
  },
  { ipBlock: { cidr: '10.0.0.0/8' } },
];

/** Who may reach the pods of a replica, and where they may connect, in every form. */
export const FULL_POLICY: Doc = { from: PEERS, to: PEERS };
