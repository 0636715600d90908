import { decide } from '../../../src/plan/decide';
import { buildPlanMessages } from '../../../src/report/map/build-map-data';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { fleetOf } from '../../scheduler/build';

test('what a plan says besides comes with the gravest first', () => {
  const { plan } = decide(fleetOf(), byPath, EMPTY_LOCK);
  const policy = { rule: 'r', where: 'p.yaml:1:1', what: 'it is not met' };
  const remarks = buildPlanMessages({
    ...plan,
    notes: ['A note.'],
    drains: [{ cluster: 'us', replicas: 1, stuck: [] }],
    warnings: [{ code: 'c', where: 'a.yaml:1:1', what: 'this may not last' }],
    policies: [
      { ...policy, effect: 'Warn' },
      { ...policy, effect: 'Deny' },
    ],
  });
  expect(remarks.map(({ kind }) => kind)).toEqual(['denied', 'warning', 'warning', 'drain', 'note']);
  expect(remarks[2]).toEqual({ kind: 'warning', text: 'a.yaml:1:1: this may not last.' });
});
