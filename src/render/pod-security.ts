import type { Json, JsonObject } from './manifest';
import type { PodSpec } from './pod-specs';

/** A level of the Pod Security Standards. */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** The version of the standards that this file knows. A cluster of an earlier version takes its own latest. */
export const STANDARDS = 'v1.36';

/** Why a pod does not pass a level: the level below is the strictest that it passes. */
export interface Shortcoming {
  readonly level: Exclude<Level, 'privileged'>;

  /** A clause about the pod: `it mounts a path of its node`. */
  readonly reason: string;
}

/** Everything that keeps a pod from the level `restricted`, worst first. */
export function shortcomings(pod: PodSpec): Shortcoming[] {
  const containers = [...pod.containers, ...list(pod['initContainers'])];
  return CHECKS.flatMap(({ level, fails, reason }) => {
    const failing = fails(pod, containers);
    return failing === undefined ? [] : [{ level, reason: `${reason} ${failing}` }];
  });
}

/** The strictest level that all of some pods pass. */
export function strictestLevel(pods: readonly PodSpec[]): Level {
  const failed = new Set(pods.flatMap((pod) => shortcomings(pod).map(({ level }) => level)));
  if (failed.has('baseline')) return 'privileged';
  return failed.has('restricted') ? 'baseline' : 'restricted';
}

interface Check {
  readonly level: Shortcoming['level'];
  readonly reason: string;

  /** What fails, for the end of the reason; nothing where all is well. */
  readonly fails: (pod: PodSpec, containers: readonly JsonObject[]) => string | undefined;
}

/** Capabilities that a container has anyway, and that `baseline` therefore lets it ask for. */
const USUAL = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

const FREE_VOLUMES = new Set(
  'configMap csi downwardAPI emptyDir ephemeral persistentVolumeClaim projected secret'.split(' '),
);

/**
 * The rules of kubernetes.io/docs/concepts/security/pod-security-standards that our pods can break. Others are about
 * fields that no pod of ours has: AppArmor, SELinux, sysctls, `procMount`, Windows.
 */
const CHECKS: readonly Check[] = [
  {
    level: 'baseline',
    reason: 'it shares with its node the',
    fails: (pod) => words(['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => pod[field] === true)),
  },
  {
    level: 'baseline',
    reason: 'it is privileged in container',
    fails: (_, containers) => named(containers, (context) => context['privileged'] === true),
  },
  {
    level: 'baseline',
    reason: 'it adds the capability',
    fails: (_, containers) => words(added(containers).filter((name) => !USUAL.has(name))),
  },
  {
    level: 'baseline',
    reason: 'it mounts a path of its node as',
    fails: (pod) => words(volumesOf(pod, (source) => source === 'hostPath')),
  },
  {
    level: 'baseline',
    reason: 'it takes a port of its node in container',
    fails: (_, containers) =>
      words(containers.filter(({ ports }) => list(ports).some(({ hostPort }) => hostPort)).map(nameOf)),
  },
  {
    level: 'baseline',
    reason: 'it makes any system call in',
    fails: (pod, containers) =>
      words([
        ...(seccompOf(pod['securityContext']) === 'Unconfined' ? ['all containers'] : []),
        ...containers.filter((one) => seccompOf(one['securityContext']) === 'Unconfined').map(nameOf),
      ]),
  },
  {
    level: 'restricted',
    reason: 'it mounts storage that only an administrator should, as',
    fails: (pod) => words(volumesOf(pod, (source) => !FREE_VOLUMES.has(source))),
  },
  {
    level: 'restricted',
    reason: 'it may gain rights in container',
    fails: (_, containers) => named(containers, (context) => context['allowPrivilegeEscalation'] !== false),
  },
  {
    level: 'restricted',
    reason: 'it may run as root in container',
    fails: (pod, containers) => {
      const { runAsNonRoot, runAsUser } = map(pod['securityContext']);
      return named(
        containers,
        (own) => (own['runAsNonRoot'] ?? runAsNonRoot) !== true || (own['runAsUser'] ?? runAsUser) === 0,
      );
    },
  },
  {
    level: 'restricted',
    reason: 'it has no profile of system calls in container',
    fails: (pod, containers) =>
      named(containers, (own) => {
        const type = seccompOf(own) ?? seccompOf(pod['securityContext']);
        return type !== 'RuntimeDefault' && type !== 'Localhost';
      }),
  },
  {
    level: 'restricted',
    reason: 'it keeps capabilities in container',
    fails: (_, containers) =>
      named(containers, ({ capabilities }) => !strings(map(capabilities)['drop']).includes('ALL')),
  },
  {
    level: 'restricted',
    reason: 'it adds the capability',
    fails: (_, containers) =>
      words(added(containers).filter((name) => USUAL.has(name) && name !== 'NET_BIND_SERVICE')),
  },
];

/** The containers whose security context is wrong. */
function named(
  containers: readonly JsonObject[],
  wrong: (context: JsonObject) => boolean,
): string | undefined {
  return words(containers.filter((container) => wrong(map(container['securityContext']))).map(nameOf));
}

function added(containers: readonly JsonObject[]): string[] {
  return containers.flatMap(({ securityContext }) =>
    strings(map(map(securityContext)['capabilities'])['add']),
  );
}

function volumesOf(pod: PodSpec, wrong: (source: string) => boolean): string[] {
  return list(pod['volumes'])
    .filter((volume) => Object.keys(volume).some((field) => field !== 'name' && wrong(field)))
    .map(nameOf);
}

function seccompOf(context: Json | undefined): Json | undefined {
  return map(map(context)['seccompProfile'])['type'];
}

function words(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : [...new Set(items)].join(', ');
}

function nameOf({ name }: JsonObject): string {
  return String(name);
}

function map(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
