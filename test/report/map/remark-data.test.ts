import { errorAt, warningAt } from '../../../src/base/diagnostic';
import { decide } from '../../../src/plan/decide';
import { buildPlanMessages } from '../../../src/report/map/build-map-data';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { fleetOf } from '../../scheduler/build';

test('what a plan says as well comes with the gravest first', () => {
  const { plan } = decide(fleetOf(), byPath, EMPTY_LOCK);
  const remarks = buildPlanMessages({
    ...plan,
    notes: ['A note.'],
    drains: [{ cluster: 'us', replicas: 1, stuck: [] }],
    warnings: [warningAt('unpinned-revision', 'a.yaml:1:1', 'this may not last', 'Pin it')],
    policies: [
      { rule: 'r', ...warningAt('warned', 'p.yaml:1:1', 'it is not met', 'Meet it') },
      { rule: 'r', ...errorAt('denied', 'p.yaml:1:1', 'it is not met', 'Meet it') },
    ],
  });
  expect(remarks.map(({ kind }) => kind)).toEqual(['denied', 'warning', 'warning', 'drain', 'note']);
  expect(remarks[2]).toEqual({ kind: 'warning', text: 'a.yaml:1:1: this may not last. Pin it.' });
});
