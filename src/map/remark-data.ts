import { describe } from '../errors';
import { formatDrain } from '../plan/drain-text';
import type { Plan } from '../plan/plan';
import { formatPolicy } from '../plan/policies-of';
import { PLAIN } from '../plan/style';
import type { RemarkData } from './map-data';

/** What a plan says besides what happens to replicas, the gravest first. */
export function remarkData({ policies, warnings, drains, notes }: Plan): RemarkData[] {
  const denied = policies.filter(({ effect }) => effect === 'Deny');
  const warned = policies.filter(({ effect }) => effect === 'Warn');
  return [
    ...remarks('denied', denied.map(formatPolicy)),
    ...remarks('warning', [...warned.map(formatPolicy), ...warnings.map(describe)]),
    ...remarks(
      'drain',
      drains.map((drain) => formatDrain(drain, PLAIN)),
    ),
    ...remarks('note', notes),
  ];
}

function remarks(kind: RemarkData['kind'], texts: readonly string[]): RemarkData[] {
  return texts.map((text) => ({ kind, text }));
}
