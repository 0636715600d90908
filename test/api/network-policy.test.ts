import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const POLICY = 'spec.template.spec.networkPolicy';

const bad: Record<string, BadRow> = {
  'a peer that is no one': {
    change: { from: [{}] },
    want: ['from.0: the peer is empty. Set namespaceSelector, podSelector or both, or else ipBlock.'],
  },
  'a peer that is both pods and addresses': {
    change: { to: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] },
    want: ['to.0: the peer has both pods and addresses. Set namespaceSelector, podSelector or both, or else ipBlock.'],
  },
  'a range that is none': {
    change: { to: [{ ipBlock: { cidr: '10.0.0.0' } }, { ipBlock: { cidr: '10.0.0.0/33' } }] },
    want: ['10.0.0.0', '10.0.0.0/33'].map(
      (cidr, i) => `to.${i}.ipBlock.cidr: '${cidr}' is not a range of addresses. Write it as in '10.0.0.0/8'.`,
    ),
  },
  'a selector without values for its operator': {
    change: { from: [{ podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }] },
    want: [
      'from.0.podSelector.matchExpressions.0.values: the operator In takes values. Write values as text in a list.',
    ],
  },
};

test.each(Object.entries(bad))('a network policy may not have %s', (_, { change, want }) => {
  const document = changed(fullDocument('ModelDeployment'), { [POLICY]: change });
  expect(reported(document)).toEqual(want.map((line) => `${POLICY}.${line}`));
});

test('peers are pods, namespaces, both, or addresses', () => {
  const peers = [
    { podSelector: {} },
    { namespaceSelector: { matchLabels: { a: 'b' } } },
    { namespaceSelector: {}, podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
    { ipBlock: { cidr: 'fd00::/8' } },
  ];
  const document = changed(fullDocument('ModelDeployment'), { [POLICY]: { from: peers, to: peers } });
  expect(reported(document)).toEqual([]);
});

describe('a mirror', () => {
  const cases: Record<string, BadRow> = {
    'names a registry, not a URL': {
      change: { images: 'https://mirror.example.com' },
      want: [
        "images: 'https://mirror.example.com' is not a registry. Write a host and an optional path, as in 'registry.example.com/mirror'.",
      ],
    },
    'names an endpoint with its scheme': {
      change: { huggingFace: 'hub.example.com' },
      want: [
        "huggingFace: 'hub.example.com' is not an endpoint. Use scheme and host, as in 'https://hub.example.com'.",
      ],
    },
    'has no more than these': {
      change: { helm: 'x' },
      want: ["helm: unknown field 'helm'. Use one of images, charts, huggingFace."],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { change, want }) => {
    const document = changed(fullDocument('InferenceCluster'), { 'spec.mirror': change });
    expect(reported(document)).toEqual(want.map((line) => `spec.mirror.${line}`));
  });
});
