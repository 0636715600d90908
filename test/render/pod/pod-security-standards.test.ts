import type { PodSpec } from '../../../src/manifest/kubernetes/manifest';
import { findPodSecurityViolations, strictestLevelOf } from '../../../src/render/pod/pod-security-standards';
import type { Doc } from '../../api/build';

const TIGHT = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** A pod of one container that passes `restricted`, but for what the row says. */
function pod(security: Doc = {}, spec: Doc = {}, container: Doc = {}): PodSpec {
  return {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ name: 'engine', ...container, securityContext: { ...TIGHT, ...security } }],
    ...spec,
  };
}

describe('what keeps a pod from a level', () => {
  const cases: Record<string, { of: PodSpec; want: string[] }> = {
    nothing: { of: pod(), want: [] },
    'an id of root': {
      of: pod({ runAsUser: 0 }),
      want: ['restricted: it does not forbid root in container engine'],
    },
    'no one who says that it is not root': {
      of: pod({}, { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }),
      want: ['restricted: it does not forbid root in container engine'],
    },
    'not a container that says so by itself': {
      of: pod({ runAsNonRoot: true }, { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }),
      want: [],
    },
    'a container that takes back what its pod says': {
      of: pod({ runAsNonRoot: false }),
      want: ['restricted: it does not forbid root in container engine'],
    },
    'an id of root for the pod, unless its container has another': {
      of: pod(
        {},
        {
          securityContext: { runAsNonRoot: true, runAsUser: 0, seccompProfile: { type: 'Localhost' } },
          initContainers: [{ name: 'warm', securityContext: { ...TIGHT, runAsUser: 1000 } }],
        },
      ),
      want: ['restricted: it does not forbid root in container engine'],
    },
    'rights to be gained, also before the engine': {
      of: pod({}, { initContainers: [{ name: 'warm', securityContext: { capabilities: { drop: ['ALL'] } } }] }),
      want: ['restricted: it may gain privileges in container warm'],
    },
    'capabilities that are kept': {
      of: pod({ capabilities: { drop: ['NET_RAW'] } }),
      want: ['restricted: it does not drop all capabilities in container engine'],
    },
    'a usual capability': {
      of: pod({ capabilities: { drop: ['ALL'], add: ['CHOWN', 'NET_BIND_SERVICE'] } }),
      want: ['restricted: it adds the capability CHOWN'],
    },
    'a capability beyond the usual': {
      of: pod({ capabilities: { drop: ['ALL'], add: ['IPC_LOCK', 'NET_BIND_SERVICE'] } }),
      want: ['baseline: it adds the capability IPC_LOCK'],
    },
    'privilege, which has every right': {
      of: pod({ privileged: true }),
      want: ['baseline: it is privileged in container engine'],
    },
    'the network of its node': {
      of: pod({}, { hostNetwork: true, hostIPC: true }),
      want: ['baseline: it shares with its node hostNetwork, hostIPC'],
    },
    'a port of its node': {
      of: pod({}, {}, { ports: [{ containerPort: 80, hostPort: 80 }, { containerPort: 81 }] }),
      want: ['baseline: it uses a port of its node in container engine'],
    },
    'a path of its node': {
      of: pod({}, { volumes: [{ name: 'host', hostPath: { path: '/dev' } }] }),
      want: [
        'baseline: it mounts a path of its node as host',
        'restricted: it mounts a volume of a type that is for administrators, as host',
      ],
    },
    'storage of a server': {
      of: pod(
        {},
        {
          volumes: [
            { name: 'archive', nfs: {} },
            { name: 'data', persistentVolumeClaim: {} },
            { name: 'weights', image: { reference: 'a/b' } },
          ],
        },
      ),
      want: ['restricted: it mounts a volume of a type that is for administrators, as archive'],
    },
    'any system call': {
      of: pod({ seccompProfile: { type: 'Unconfined' } }),
      want: [
        'baseline: it may make all system calls in engine',
        'restricted: it has no seccomp profile in container engine',
      ],
    },
    'any system call in all containers, unless one has a profile': {
      of: pod(
        { seccompProfile: { type: 'Localhost' } },
        { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Unconfined' } } },
      ),
      want: ['baseline: it may make all system calls in all containers'],
    },
    'no profile of system calls': {
      of: pod({}, { securityContext: { runAsNonRoot: true } }),
      want: ['restricted: it has no seccomp profile in container engine'],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    expect(findPodSecurityViolations(of).map(({ level, reason }) => `${level}: ${reason}`)).toEqual(want);
  });
});

describe('the strictest level of some pods', () => {
  const [tight, root, host] = [pod(), pod({ runAsUser: 0 }), pod({ privileged: true })];
  const cases: Record<string, { of: PodSpec[]; want: string }> = {
    'is restricted where there are none': { of: [], want: 'restricted' },
    'is restricted where all pass it': { of: [tight, tight], want: 'restricted' },
    'is baseline where one may run as root': { of: [tight, root], want: 'baseline' },
    'is privileged where one is': { of: [tight, host, root], want: 'privileged' },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    expect(strictestLevelOf(of)).toBe(want);
  });
});
