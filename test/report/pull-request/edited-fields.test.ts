import type { Cause } from '../../../src/diff/replica-causes';
import { describeEditedFields } from '../../../src/report/pull-request/edited-fields';

const edit = (id: string, field: string): Cause => ({
  id,
  action: 'changed',
  where: 'fleet.yaml:1:1',
  field: { path: field.split('.'), field, where: 'fleet.yaml:1:1', before: 1, after: 2 },
});
const whole = (action: 'added' | 'removed', id: string): Cause => ({ id, action, where: 'fleet.yaml:1:1' });
const Z = 'ModelDeployment ml/z';

test.each<[string, Cause[], string]>([
  ['nothing is edited', [], ''],
  [
    'fields of one declaration share its name',
    [edit(Z, 'spec.rollout.surge'), edit(Z, 'spec.paused')],
    'edits `rollout.surge` and `spec.paused` of `ml/z`',
  ],
  [
    'a field of several declarations is named once',
    [edit(Z, 'spec.paused'), edit('ModelDeployment ml/y', 'spec.paused')],
    'edits `spec.paused` of `ml/y` and `ml/z`',
  ],
  [
    'of many fields the first are named',
    ['a', 'b', 'c', 'd', 'e'].map((name) => edit(Z, `spec.${name}`)),
    'edits `spec.a`, `spec.b` and `spec.c` of `ml/z` and 2 more fields',
  ],
  [
    'of many new declarations the first are named',
    ['a', 'b', 'c', 'd'].map((name) => whole('added', `ModelEndpoint ml/${name}`)),
    'adds ModelEndpoint `ml/a`, ModelEndpoint `ml/b`, ModelEndpoint `ml/c` and 1 more declaration',
  ],
  [
    'a field of a declaration that is new under another name is part of that',
    [
      whole('removed', 'Grant ml/a'),
      whole('added', 'Grant ml/b'),
      { ...edit('Grant ml/b', 'spec.to'), action: 'added' },
    ],
    'adds Grant `ml/b` and removes Grant `ml/a`',
  ],
])('%s', (_, edits, want) => {
  expect(describeEditedFields(edits)).toBe(want);
});
