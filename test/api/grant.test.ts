import { aGrant } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const bad: Record<string, BadRow> = {
  'a grant is to at most 64 namespaces': {
    change: { 'spec.from': Array.from({ length: 65 }, () => ({ namespace: 'web' })) },
    want: ['spec.from: a list of 65 items is greater than the maximum of 64. List at most 64 items.'],
  },
  'a grant covers at most 64 things': {
    change: { 'spec.to': Array.from({ length: 65 }, () => ({ kind: 'ModelEndpoint' })) },
    want: ['spec.to: a list of 65 items is greater than the maximum of 64. List at most 64 items.'],
  },
  'the alias group has no such kind': {
    change: { apiVersion: 'modelplane.ai/v1alpha1' },
    want: ["apiVersion: modelplane.ai has no kind Grant. Use 'fleetwright.dev/v1alpha1'."],
  },
  'a grant is to some namespace': {
    change: { 'spec.from': [] },
    want: ['spec.from: a list of 0 items is less than the minimum of 1. List at least 1 item.'],
  },
  'a grant covers something': {
    change: { 'spec.to': [] },
    want: ['spec.to: a list of 0 items is less than the minimum of 1. List at least 1 item.'],
  },
  'a target is a deployment or an endpoint': {
    change: { 'spec.to.0.kind': 'ModelService' },
    want: ["spec.to.0.kind: unknown value 'ModelService'. Use one of ModelDeployment, ModelEndpoint."],
  },
  'a namespace is a DNS label': {
    change: { 'spec.from.0.namespace': 'Web' },
    want: ["spec.from.0.namespace: 'Web' is not a DNS label. Use 'web'."],
  },
};

describe('Grant', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('Grant'), change))).toEqual(want);
  });

  test('a target without labels is every one of its kind', () => {
    const { to } = aGrant('ml/web', 'web', { kind: 'ModelEndpoint' }).spec;
    expect(to).toEqual([{ kind: 'ModelEndpoint', matchLabels: {} }]);
  });
});
