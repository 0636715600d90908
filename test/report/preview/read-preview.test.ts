import { readStackPreview, type StackPreview } from '../../../src/report/preview/read-preview';
import { digest, events, step, urnOf } from './build';

const POOL = 'aws:eks/nodeGroup:NodeGroup';
const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';

/** A step as an event. */
const pre = (metadata: object): object => ({ resourcePreEvent: { metadata } });

interface Row {
  readonly text: string;
  readonly want: Partial<StackPreview>;
}

const ROWS: Record<string, Row> = {
  'every change has its kind, its name and the fields that change, and the rest is counted': {
    text: digest([
      step('same', 'pulumi:pulumi:Stack', 'fleet-prod'),
      step('create', DEPLOYMENT, 'us/Deployment.ml.new'),
      step('update', DEPLOYMENT, 'us/Deployment.ml.chat', {
        diffReasons: ['spec'],
        detailedDiff: { 'spec.template.spec.containers[0].image': { kind: 'update' } },
      }),
      step('update', DEPLOYMENT, 'us/Deployment.ml.other', { diffReasons: ['spec', 'metadata'] }),
      step('replace', POOL, 'us_h100', { diffReasons: ['zones', 'arn'], replaceReasons: ['zones'] }),
      step('delete', POOL, 'us_l4'),
      step('import', POOL, 'us_old'),
    ]),
    want: {
      unchanged: 1,
      understood: true,
      resources: [
        { change: 'create', type: DEPLOYMENT, name: 'us/Deployment.ml.new', fields: [], retained: false },
        {
          change: 'update',
          type: DEPLOYMENT,
          name: 'us/Deployment.ml.chat',
          fields: ['spec.template.spec.containers[0].image'],
          retained: false,
        },
        {
          change: 'update',
          type: DEPLOYMENT,
          name: 'us/Deployment.ml.other',
          fields: ['metadata', 'spec'],
          retained: false,
        },
        { change: 'replace', type: POOL, name: 'us_h100', fields: ['zones'], retained: false },
        { change: 'delete', type: POOL, name: 'us_l4', fields: [], retained: false },
        { change: 'import', type: POOL, name: 'us_old', fields: [], retained: false },
      ],
    },
  },
  'a replacement that is reported in several steps is one': {
    text: events(
      pre(step('create-replacement', POOL, 'us_h100', { keys: ['zones'] })),
      pre(step('replace', POOL, 'us_h100', { keys: ['zones'] })),
      pre(step('delete-replaced', POOL, 'us_h100', { keys: ['zones'], old: { retainOnDelete: true } })),
      pre(step('delete', POOL, 'us_l4', { old: { retainOnDelete: true } })),
    ),
    want: {
      resources: [
        { change: 'replace', type: POOL, name: 'us_h100', fields: ['zones'], retained: false },
        { change: 'delete', type: POOL, name: 'us_l4', fields: [], retained: true },
      ],
    },
  },
  'what refreshes, is read or leaves the state alone is no change': {
    text: digest([step('refresh', POOL, 'a'), step('read', POOL, 'b'), step('discard', POOL, 'c')]),
    want: { resources: [], unchanged: 3 },
  },
  'errors and warnings are kept once, without colours, with the resource that they are about': {
    text: digest(
      [],
      [
        { severity: 'error', message: '\u001b[31merror: \u001b[0mthe lock file is out of date\n' },
        { severity: 'error', message: 'the lock file is out of date', urn: urnOf('pulumi:pulumi:Stack', 'fleet-prod') },
        { severity: 'error', message: '<{%fg 1%}>no zone<{%reset%}>', urn: urnOf(POOL, 'us_h100') },
        { severity: 'warning', message: 'warning: old version' },
        { severity: 'info', message: 'read the docs' },
        { severity: 'info#err', message: 'a trace' },
      ],
    ),
    want: {
      messages: [
        { severity: 'error', text: 'the lock file is out of date' },
        { severity: 'error', text: 'us_h100: no zone' },
        { severity: 'warning', text: 'old version' },
        { severity: 'error', text: 'a trace' },
      ],
    },
  },
  'a chart that cannot be fetched is an error of its release that names the setting': {
    text: digest(
      [],
      ['kubernetes:helm.sh/v3:Release', 'kubernetes:apps/v1:Deployment'].map((type) => ({
        severity: 'error',
        message: 'Get "https://registry.k8s.io/v2/": dial tcp: lookup registry.k8s.io: no such host',
        urn: urnOf(type, 'berlin/lws'),
      })),
    ),
    want: {
      messages: [
        {
          severity: 'error',
          text: 'berlin/lws: Get "https://registry.k8s.io/v2/": dial tcp: lookup registry.k8s.io: no such host\nIts chart cannot be fetched. Set fleetwright:chartSource to a mirror or to a folder of charts, or chartSource of the FleetStack.',
        },
        {
          severity: 'error',
          text: 'berlin/lws: Get "https://registry.k8s.io/v2/": dial tcp: lookup registry.k8s.io: no such host',
        },
      ],
    },
  },
  'violations of policies name the rule and the resource, and whether they refuse the update': {
    text: events(
      ...['mandatory', 'advisory'].map((enforcementLevel) => ({
        policyEvent: {
          resourceUrn: urnOf(POOL, 'us_h100'),
          policyPackName: 'house',
          policyName: 'small-pools',
          enforcementLevel,
          message: '<{%fg 1%}>too large<{%reset%}>',
        },
      })),
    ),
    want: {
      violations: [
        { policy: 'house/small-pools', resource: 'us_h100', mandatory: true, text: 'too large' },
        { policy: 'house/small-pools', resource: 'us_h100', mandatory: false, text: 'too large' },
      ],
    },
  },
  'messages that are shown for a moment only, and lines of other programs, are left out': {
    text: `npm warn old lock\n{ not: json\n${events(
      { diagnosticEvent: { severity: 'error', message: 'half way', ephemeral: true } },
      { errorEvent: { error: 'the engine stopped' } },
    )}`,
    want: { messages: [{ severity: 'error', text: 'the engine stopped' }], understood: true },
  },
  'a document after lines of other programs is read': {
    text: `Installing plugins\n${digest([step('delete', POOL, 'us_l4')])}`,
    want: { unchanged: 0, understood: true },
  },
  'names with colons are whole': {
    text: digest([step('create', 'kubernetes:rbac.authorization.k8s.io/v1:Role', 'us/Role.ml.a::b')]),
    want: {
      resources: [
        {
          change: 'create',
          type: 'kubernetes:rbac.authorization.k8s.io/v1:Role',
          name: 'us/Role.ml.a::b',
          fields: [],
          retained: false,
        },
      ],
    },
  },
  'no result is reported from one without changes': {
    text: 'error: no stack\n',
    want: { understood: false, unchanged: 0 },
  },
  'a result without changes is known as one': {
    text: '{"changeSummary":{"same":1},"steps":[]}',
    want: { understood: true, unchanged: 1 },
  },
  'a document counts what is unchanged, and does not list all of it': {
    text: digest([step('same', 'pulumi:pulumi:Stack', 'fleet-prod'), step('delete', POOL, 'us_l4')]).replace(
      '"changeSummary": {}',
      '"changeSummary": { "delete": 1, "same": 87 }',
    ),
    want: { unchanged: 87 },
  },
  'a result that is cut off is none': {
    text: digest([step('delete', POOL, 'a')]).slice(0, -9),
    want: { understood: false },
  },
  'JSON that is something else is none': { text: '{"kind":"Plan"}\n[1]\n"a"\n', want: { understood: false } },
};

test.each(Object.entries(ROWS))('%s', (_, { text, want }) => {
  expect(readStackPreview(text)).toMatchObject(want);
});
