import type { Resource } from '../../src/api/kinds';
import { formatElsewhere } from '../../src/report/diff/change-sentences';
import { aClass, anEngine, type Doc, parsed } from '../api/build';
import { aDoor, aSite, aSplit, to } from '../routing/build';
import { diff } from './build';

const DRAINED = { taints: [{ key: 'retired', effect: 'NoExecute' }] };
const ROOM = 'room for one more on us too: ';

const site = (name: string, pool: string, nodeCount: number, more: Doc = {}): Resource =>
  aSite(name, { pools: { [pool]: { nodeCount } }, ...more });

const model = (replicas: number, placement: Doc): Resource => {
  const template = { metadata: { labels: { app: 'q' } }, spec: { engines: [anEngine('main')] } };
  return parsed('ModelDeployment', 'ml/q', { replicas, placement, template });
};

interface Row {
  replicas?: number;
  placement?: Doc;
  others: Resource[];

  /** Those that come with the drain. */
  added?: Resource[];
  want: string;
}

const CLASSES = [aClass('h100', { price: { perHour: 10 } }), aClass('dear', { price: { perHour: 90 } })];

const cases: Record<string, Row> = {
  'the one with more free devices, of two with as many replicas': {
    others: [site('us', 'h100', 1), site('asia', 'h100', 2)],
    want: `${ROOM}asia and us had 0 replicas of it each, and asia had more free devices for it: enough for 16, on us for 8`,
  },
  'the one with fewer replicas': {
    replicas: 2,
    others: [site('us', 'h100', 9)],
    added: [site('asia', 'h100', 1)],
    want: `${ROOM}asia had 0 replicas of it, and us 1`,
  },
  'the one in the failure domain with fewer replicas': {
    replicas: 2,
    placement: { spreadBy: 'zone' },
    others: [site('us', 'h100', 9, { labels: { zone: 'a' } })],
    added: [site('asia', 'h100', 1, { labels: { zone: 'b' } })],
    want: `${ROOM}the failure domain of asia had fewer replicas of it`,
  },
  'the first by name, of two that are equal': {
    others: [site('us', 'h100', 1), site('asia', 'h100', 1)],
    want: `${ROOM}asia and us are equal by 'placement.policy: Spread', and the first by name is chosen`,
  },
  'the cheaper one': {
    placement: { policy: 'Cheapest' },
    others: [site('us', 'dear', 2), site('asia', 'h100', 1)],
    want: `${ROOM}asia is cheaper for it than us`,
  },
  'the fuller one': {
    placement: { policy: 'Pack' },
    others: [site('us', 'h100', 2), site('asia', 'h100', 1)],
    added: [aPeer('asia')],
    want: `${ROOM}asia was fuller than us, as 'placement.policy: Pack' asks for`,
  },
  'the one that comes first in the list': {
    placement: { policy: 'Preferred', preferred: [{ matchLabels: { zone: 'b' } }, { matchLabels: { site: 'asia' } }] },
    others: [site('us', 'h100', 2), site('asia', 'h100', 1)],
    want: `${ROOM}asia comes before us in 'placement.preferred'`,
  },
  'the one that an ingress gateway reaches': {
    others: [
      site('us', 'h100', 2, { gateway: { reach: 'Cluster' } }),
      site('asia', 'h100', 1),
      aDoor(['asia']),
      aSplit('ml/q', [to({ app: 'q' })]),
    ],
    want: `${ROOM}an ingress gateway reaches asia, and not us`,
  },
  'the policy alone, where replicas that came later changed what decided': {
    others: [site('us', 'h100', 1), site('asia', 'h100', 2)],
    added: [aPeer('asia', { priority: -1, replicas: 2, gpus: 6 })],
    want: `${ROOM}'placement.policy: Spread' chooses`,
  },
};

/** Another deployment, which a cluster alone takes. */
function aPeer(on: string, { gpus = 1, ...spec }: Doc = {}): Resource {
  const engines = [anEngine('main', { gpus: Number(gpus) })];
  const template = { spec: { clusterSelector: { matchLabels: { site: on } }, engines } };
  return parsed('ModelDeployment', 'ml/peer', { replicas: 1, priority: 5, template, ...spec });
}

test.each(Object.entries(cases))(
  'of clusters with room, a comparison says why one was chosen: %s',
  (_, { replicas = 1, placement = {}, others, added = [], want }) => {
    const models = [model(replicas, placement), ...others];
    const zone = { labels: { zone: 'b' } };
    const before = [...CLASSES, site('a', 'h100', 9, zone), ...models];
    const after = [...CLASSES, site('a', 'h100', 9, { ...zone, ...DRAINED }), ...models, ...added];
    const own = diff(before, after).deployments.filter(({ deployment }) => deployment === 'ml/q');
    expect(own.flatMap(formatElsewhere)).toContain(want);
  },
);
