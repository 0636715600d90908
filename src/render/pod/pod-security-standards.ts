import {
  findPodSpecs,
  type Json,
  type JsonObject,
  type Manifest,
  type PodSpec,
} from '../../manifest/kubernetes/manifest';

type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** The implemented version of the standards. A cluster of an earlier version uses its own latest version. */
export const POD_SECURITY_VERSION = 'v1.36';

interface PodSecurityViolation {
  readonly level: Exclude<PodSecurityLevel, 'privileged'>;

  /** A clause about the pod: `it mounts a path of its node`. */
  readonly reason: string;
}

/** Returns everything that keeps a pod from the level `restricted`, most severe first. */
export function findPodSecurityViolations(pod: PodSpec): PodSecurityViolation[] {
  const containers = [...pod.containers, ...toList(pod['initContainers'])];
  return LEVELS.flatMap((level) =>
    Object.entries(CHECKS[level]).flatMap(([reason, check]) => {
      const failing = check(pod, containers);
      return failing.length === 0 ? [] : [{ level, reason: `${reason} ${[...new Set(failing)].join(', ')}` }];
    }),
  );
}

export function strictestLevelOf(pods: readonly PodSpec[]): PodSecurityLevel {
  const failed = new Set(pods.flatMap((pod) => findPodSecurityViolations(pod).map(({ level }) => level)));
  if (failed.has('baseline')) return 'privileged';
  return failed.has('restricted') ? 'baseline' : 'restricted';
}

const LEVELS = ['baseline', 'restricted'] as const;

/** Returns the failing parts of a pod, for the end of the reason. */
type Check = (pod: PodSpec, containers: readonly JsonObject[]) => readonly string[];

/** Capabilities that a container has by default. The level `baseline` lets a container add them. */
const DEFAULT_CAPABILITIES = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

const ALLOWED_VOLUMES = new Set(
  'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' '),
);

/**
 * The rules of kubernetes.io/docs/concepts/security/pod-security-standards that generated pods can break. The other
 * rules are about fields that these pods do not have: AppArmor, SELinux, sysctls, `procMount`, Windows.
 */
const CHECKS: Readonly<Record<(typeof LEVELS)[number], Readonly<Record<string, Check>>>> = {
  baseline: {
    'it shares with its node': (pod) => ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => pod[field] === true),

    'it is privileged in container': (_, containers) =>
      containersWhere(containers, (context) => context['privileged'] === true),

    'it adds the capability': (_, containers) =>
      addedCapabilitiesOf(containers).filter((name) => !DEFAULT_CAPABILITIES.has(name)),

    'it mounts a path of its node as': (pod) => volumesOf(pod, (source) => source === 'hostPath'),

    'it uses a port of its node in container': (_, containers) =>
      containers.filter(({ ports }) => toList(ports).some(({ hostPort }) => hostPort)).map(nameOf),

    'it may make all system calls in': (pod, containers) => [
      ...(seccompOf(pod['securityContext']) === 'Unconfined' ? ['all containers'] : []),
      ...containersWhere(containers, (context) => seccompOf(context) === 'Unconfined'),
    ],
  },
  restricted: {
    'it mounts a volume of a type that is for administrators, as': (pod) =>
      volumesOf(pod, (source) => !ALLOWED_VOLUMES.has(source)),

    'it may gain privileges in container': (_, containers) =>
      containersWhere(containers, (context) => context['allowPrivilegeEscalation'] !== false),

    'it does not forbid root in container': (pod, containers) => {
      const { runAsNonRoot, runAsUser } = toMap(pod['securityContext']);
      return containersWhere(
        containers,
        (context) => (context['runAsNonRoot'] ?? runAsNonRoot) !== true || (context['runAsUser'] ?? runAsUser) === 0,
      );
    },

    'it has no seccomp profile in container': (pod, containers) =>
      containersWhere(containers, (context) => {
        const type = seccompOf(context) ?? seccompOf(pod['securityContext']);
        return type !== 'RuntimeDefault' && type !== 'Localhost';
      }),

    'it does not drop all capabilities in container': (_, containers) =>
      containersWhere(containers, ({ capabilities }) => !toList<string>(toMap(capabilities)['drop']).includes('ALL')),

    'it adds the capability': (_, containers) =>
      addedCapabilitiesOf(containers).filter((name) => DEFAULT_CAPABILITIES.has(name) && name !== 'NET_BIND_SERVICE'),
  },
};

function containersWhere(containers: readonly JsonObject[], wrong: (context: JsonObject) => boolean): string[] {
  return containers.filter((container) => wrong(toMap(container['securityContext']))).map(nameOf);
}

function addedCapabilitiesOf(containers: readonly JsonObject[]): string[] {
  return containers.flatMap(({ securityContext }) =>
    toList<string>(toMap(toMap(securityContext)['capabilities'])['add']),
  );
}

function volumesOf(pod: PodSpec, wrong: (source: string) => boolean): string[] {
  return toList(pod['volumes'])
    .filter((volume) => Object.keys(volume).some((field) => field !== 'name' && wrong(field)))
    .map(nameOf);
}

function seccompOf(context: Json | undefined): Json | undefined {
  return toMap(toMap(context)['seccompProfile'])['type'];
}

function nameOf({ name }: JsonObject): string {
  return String(name);
}

function toMap(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function toList<Item = JsonObject>(value: Json | undefined): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}

/** The Pod Security level of some objects, and why they do not meet a stricter level. */
export interface PodSecurityResult {
  readonly level: PodSecurityLevel;

  /** Clauses about a pod: `it does not forbid root in container engine`. */
  readonly reasons: readonly string[];
}

/** Returns the strictest level that the pods of some objects meet, and what keeps them from the next level. */
export function assessPodSecurity(objects: readonly Manifest[]): PodSecurityResult {
  const pods = findPodSpecs(objects);
  const level = strictestLevelOf(pods);
  const next = level === 'privileged' ? 'baseline' : 'restricted';
  const reasons = pods.flatMap(findPodSecurityViolations).filter((violation) => violation.level === next);
  return { level, reasons: [...new Set(reasons.map(({ reason }) => reason))] };
}
