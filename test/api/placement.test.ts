import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const PLACEMENT = 'spec.placement';

const bad: Record<string, BadRow> = {
  'a policy is one that we know': {
    change: { [`${PLACEMENT}.policy`]: 'Cheap' },
    want: [`${PLACEMENT}.policy: unknown value 'Cheap'. Use one of Spread, Pack, Cheapest, Preferred.`],
  },
  'the policy Preferred has a list': {
    change: { [`${PLACEMENT}.preferred`]: undefined },
    want: [
      `${PLACEMENT}.preferred: the policy Preferred needs a list of preferred clusters. List cluster selectors at preferred, in order of preference.`,
    ],
  },
  'no other policy has one': {
    change: { [`${PLACEMENT}.policy`]: 'Pack' },
    want: [
      `${PLACEMENT}.preferred: the policy Pack ignores preferred clusters. Remove the list, or set 'policy: Preferred'.`,
    ],
  },
  'a preferred cluster is selected by labels': {
    change: { [`${PLACEMENT}.preferred`]: [{}] },
    want: [
      `${PLACEMENT}.preferred.0.matchLabels: the field 'matchLabels' is missing. Add it: Labels that must exist with these values.`,
    ],
  },
  'preferred clusters are at most 16': {
    change: { [`${PLACEMENT}.preferred`]: Array.from({ length: 17 }, () => ({ matchLabels: {} })) },
    want: [`${PLACEMENT}.preferred: a list of 17 items is greater than the maximum of 16. List at most 16 items.`],
  },
  'limits on domains need domains': {
    change: { [`${PLACEMENT}.spreadBy`]: undefined },
    want: ['minDomains', 'maxPerDomain'].map(
      (field) =>
        `${PLACEMENT}.${field}: '${field}' needs failure domains, and spreadBy names none. Set 'spreadBy: cluster', or name a cluster label or one of the Fleet's domains there.`,
    ),
  },
  'a domain has a name': {
    change: { [`${PLACEMENT}.spreadBy`]: '' },
    want: [`${PLACEMENT}.spreadBy: an empty text is less than the minimum of 1. Write a text, or remove the field.`],
  },
  'limits are at least 1': {
    change: {
      [`${PLACEMENT}.minDomains`]: 0,
      [`${PLACEMENT}.maxPerDomain`]: 0,
      [`${PLACEMENT}.maxPerCluster`]: 0,
    },
    want: ['minDomains', 'maxPerDomain', 'maxPerCluster'].map(
      (field) => `${PLACEMENT}.${field}: 0 is less than the minimum of 1. Use at least 1.`,
    ),
  },
  'limits are at most 1000': {
    change: {
      [`${PLACEMENT}.minDomains`]: 1001,
      [`${PLACEMENT}.maxPerDomain`]: 1001,
      [`${PLACEMENT}.maxPerCluster`]: 1001,
    },
    want: ['minDomains', 'maxPerDomain', 'maxPerCluster'].map(
      (field) => `${PLACEMENT}.${field}: 1001 is greater than the maximum of 1000. Use at most 1000.`,
    ),
  },
  'a typo names the field that was meant': {
    change: { [`${PLACEMENT}.spreadby`]: 'region' },
    want: [`${PLACEMENT}.spreadby: unknown field 'spreadby'. Use 'spreadBy'.`],
  },
  'a deployment is paused or not': {
    change: { 'spec.paused': 'now' },
    want: ['spec.paused: expected true or false, got the text "now". Write true or false.'],
  },
};

describe('placement of a ModelDeployment', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual(want);
  });

  test('a document that uses every field is good', () => {
    expect(reported(fullDocument('ModelDeployment'))).toEqual([]);
  });
});
