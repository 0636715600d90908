import { fullDocument } from './documents';
import { changed, reported } from './rows';

const good: Record<string, string> = {
  'a role may do anything on a cluster': 'arn:aws:iam::111122223333:role/deploy',
  'a role may have a path': 'arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/admin_1a2b',
  'a user may too': 'arn:aws:iam::111122223333:user/jane@example.com',
  'other partitions of AWS have both': 'arn:aws-us-gov:iam::111122223333:role/deploy',
};

const ID = '00000000-1111-2222-3333-44444444abcd';

test.each(Object.entries({ [ID]: [], devs: ['devs'], [ID.toUpperCase()]: [ID.toUpperCase()] }))(
  'administrators of AKS are object IDs: %s',
  (id, wrong) => {
    const found = reported(changed(fullDocument('InferenceCluster'), { 'spec.cluster.aks.admins': [id] }));
    const hint = "Use its object ID, as in '00000000-1111-2222-3333-444444444444'.";
    expect(found).toEqual(
      wrong.map((one) => `spec.cluster.aks.admins.0: '${one}' is not an object ID of Microsoft Entra. ${hint}`),
    );
  },
);

const bad: Record<string, string> = {
  'a name says not in which account': 'deploy',
  'a group has no entry': 'arn:aws:iam::111122223333:group/admins',
  'a session is of a role, which has to be named': 'arn:aws:sts::111122223333:assumed-role/deploy/jane',
};

function reportedOf(arn: string): string[] {
  return reported(changed(fullDocument('InferenceCluster'), { 'spec.cluster.eks.admins': [arn] }));
}

test.each(Object.entries(good))('%s', (_, arn) => {
  expect(reportedOf(arn)).toEqual([]);
});

test.each(Object.entries(bad))('%s', (_, arn) => {
  expect(reportedOf(arn)).toEqual([
    `spec.cluster.eks.admins.0: '${arn}' is not an IAM role or user. Use its ARN, as in 'arn:aws:iam::111122223333:role/deploy'.`,
  ]);
});
