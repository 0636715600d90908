import { readFileSync } from 'node:fs';
import { SMALL } from './cli';
import { Repository, withEnv } from './repository';

const SETTINGS = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: { name: main }
spec: { policies: ./policy.yaml }
`;
const rule = (effect: 'Deny' | 'Warn'): Record<string, string> => ({
  'settings.yaml': SETTINGS,
  'policy.yaml': `rules: [{ name: digests, pinnedImages: true, effect: ${effect} }]\n`,
});
const LARGER = SMALL.replace('replicas: 1', 'replicas: 3');
const NEWER = SMALL.replace('v0.23.0', 'v0.24.0');
const DRAINED = SMALL.replace(
  '  nodePools',
  '  taints:\n  - { key: old, effect: NoSchedule }\n  - { key: out, effect: NoExecute }\n  nodePools',
);
const MOVED = SMALL.replace('metadata:\n  name: us\n', 'metadata:\n  name: eu\n');
const WITH_ENV = withEnv(SMALL, 'env: [{ name: A, value: b }]');
const DOORS = readFileSync('examples/ingress-gateway/fleet.yaml', 'utf8');
const ONE_DOOR = DOORS.replace('clusters: [us-east, us-west]', 'clusters: [us-east]');

const AGAINST = 'plan ./ --against main --allow-dirty';

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

/** The annotations of a run, in full. */
function reported(args: string): string[] {
  const { err } = work.run(`${args} --annotations github`);
  return err.split('\n').filter((line) => line.startsWith('::'));
}

/** `error unplaced fleet.yaml:31`. */
function short(line: string): string {
  const [, level, file, at, code] = /^::(\w+) file=(.*),line=(\d+),.*,title=fleetwright%3A (.*?)::/.exec(line)!;
  return `${level} ${code} ${file}:${at}`;
}

const OUT_OF_DATE = 'error lock-out-of-date fleet.lock.yaml:1';
const SHORT = 'error unplaced fleet.yaml:31';
const DENIED = 'error denied fleet.yaml:46';
const WARNED = 'warning warned fleet.yaml:46';

interface Case {
  was?: string;
  is: string;
  files?: Record<string, string>;
  /** By what is run, in this order. */
  reported: Record<string, string[]>;
}

const cases: Record<string, Case> = {
  'what is well is not reported': {
    is: SMALL,
    reported: { [`${AGAINST} --gate`]: [], 'lock ./ --check': [], 'lock ./': [], 'synth ./ --out ./out': [] },
  },
  'replicas without a place are, and a lock that is out of date where it must not be': {
    is: LARGER,
    reported: {
      'plan ./': [SHORT],
      [AGAINST]: [OUT_OF_DATE, SHORT],
      [`${AGAINST} --from main`]: [SHORT],
      'lock ./ --check': [OUT_OF_DATE, SHORT],
      'lock ./': [SHORT],
      'synth ./ --out ./out': [OUT_OF_DATE, SHORT],
      'synth ./ --out ./out --ephemeral': [SHORT],
    },
  },
  'a shortfall that is accepted is no mistake': {
    is: LARGER,
    reported: {
      'lock ./ --accept-unplaced': [],
      'plan ./': [],
      'lock ./ --check': [],
      'synth ./ --out ./out': [],
    },
  },
  'what a rule denies is refused by all that act on it': {
    is: SMALL,
    files: rule('Deny'),
    reported: {
      'plan ./': [DENIED],
      'lock ./': [DENIED],
      'synth ./ --out ./out': [DENIED],
      'lock ./ --check': [DENIED],
      'validate ./': [DENIED],
    },
  },
  'what a rule warns of is a warning, also where it stops nothing': {
    is: SMALL,
    files: rule('Warn'),
    reported: { 'plan ./': [WARNED], 'lock ./': [WARNED], 'synth ./ --out ./out': [WARNED] },
  },
  'a drain that cannot finish is reported at its taint': {
    is: DRAINED,
    reported: { 'plan ./': ['error unplaced fleet.yaml:34', 'warning stuck-drain fleet.yaml:24'] },
  },
  'a gate reports the line that takes replicas away, with no gate nothing': {
    is: NEWER,
    reported: { [AGAINST]: [], [`${AGAINST} --gate`]: ['error outage fleet.yaml:46'] },
  },
  'a gate that counts on no waves reports what only these would keep': {
    was: SMALL.replace('replicas: 1', 'replicas: 2'),
    is: NEWER.replace('replicas: 1', 'replicas: 2'),
    reported: { [`${AGAINST} --gate`]: [], [`${AGAINST} --gate --no-waves`]: ['error outage fleet.yaml:46'] },
  },
  'a replica that is added is not what takes others away': {
    is: NEWER.replace('replicas: 1', 'replicas: 2'),
    reported: { [`${AGAINST} --gate`]: [OUT_OF_DATE, 'error outage fleet.yaml:46', 'warning room-lost fleet.yaml:31'] },
  },
  'what a line that is gone takes away is reported at the deployment': {
    was: WITH_ENV,
    is: SMALL,
    reported: { [`${AGAINST} --gate`]: ['error outage fleet.yaml:25'] },
  },
  'what a cluster that is gone takes away is reported at the deployment': {
    is: MOVED,
    reported: { [`${AGAINST} --gate`]: [OUT_OF_DATE, 'error outage fleet.yaml:25'] },
  },
  'a deployment that keeps too few is reported where it is declared': {
    is: SMALL,
    reported: { 'survive ./': [], 'survive ./ --require 1': ['error too-few-left fleet.yaml:25'] },
  },
  'so is a service': {
    was: DOORS,
    is: ONE_DOOR,
    reported: { 'survive ./ --require 1': ['error too-few-left fleet.yaml:85'] },
  },
  'what only might happen is not reported': { is: LARGER, reported: { 'what-if ./ --lose us': [] } },
};

test.each(Object.entries(cases))('%s', (_, { was = SMALL, is, files = {}, reported: want }) => {
  work.locked(was);
  work.write({ 'fleet.yaml': is, ...files });
  expect(Object.fromEntries(Object.keys(want).map((args) => [args, reported(args).map(short)]))).toEqual(want);
});

describe('an annotation says', () => {
  const whole: Record<string, { is: string; args: string; want: string }> = {
    'why replicas have no place, and what would help': {
      is: LARGER,
      args: 'plan ./',
      want: '1 of 3 replicas of ml/q does not fit (us / h100: needs 8 gpu on one node; all its devices are in use). Cheapest: 1 more node in us / h100 (8 GPUs).',
    },
    'how many of several replicas the cheapest change helps': {
      is: SMALL.replace('replicas: 1', 'replicas: 4'),
      args: 'plan ./',
      want: '2 of 4 replicas of ml/q do not fit (us / h100: needs 8 gpu on one node; all its devices are in use). Cheapest: 1 more node in us / h100 (8 GPUs) (for 1 of the 2).',
    },
    'what writes the lock': {
      is: LARGER,
      args: 'lock ./ --check',
      want: "the lock file is out of date: it differs for ml/q. Review 'fleetwright plan .', then run 'fleetwright lock .'.",
    },
    'whose replicas go, and because of what': {
      is: MOVED,
      args: `${AGAINST} --gate --from main`,
      want: "ml/q has no serving replica for about 2 to 17 minutes while the change is applied; because InferenceCluster us is gone (main:fleet.yaml:14:1). Drain the cluster first, with 'taints: [{ key: retired, effect: NoExecute }]', run 'fleetwright lock DIR --finalize' when the new replicas serve, and remove it after that; or accept downtime with 'rollout: Recreate' (cost unchanged).",
    },
  };
  test.each(Object.entries(whole))('%s', (_, { is, args, want }) => {
    work.locked(SMALL);
    work.write({ 'fleet.yaml': is });
    expect(reported(args)[0]?.split('::').slice(2).join('::')).toBe(want);
  });
});

test('a lock that is not there has no line', () => {
  work.write({ 'fleet.yaml': SMALL });
  expect(reported('lock ./ --check')).toEqual([
    "::error title=fleetwright%3A lock-out-of-date::fleet.lock.yaml: there is no lock file yet. Review 'fleetwright plan .', then run 'fleetwright lock .'.",
  ]);
});
