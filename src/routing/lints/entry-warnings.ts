import type { Fault } from '../../api/checks/fault';
import { resourceId } from '../../api/kinds';
import type { ModelService } from '../../api/model-service';
import { type EmptyEntry, emptyEntries } from './empty-entries';
import { grantHint } from './grant-hint';
import type { Scene } from './scene';

/** Entries that nothing serves, a canary say, of services that could. */
export function* unservedEntries(scene: Scene): Iterable<Fault> {
  for (const { service, entries, hopeless } of emptyEntries(scene)) {
    if (hopeless) continue;
    for (const empty of entries) {
      const path = ['spec', 'endpoints', empty.entry, 'selector'];
      yield { resource: service, path, ...whyUnserved(empty, service) };
    }
  }
}

function whyUnserved(
  { taken, possible: [first], forbidden }: EmptyEntry,
  service: ModelService,
): Pick<Fault, 'code' | 'what' | 'hint'> {
  if (taken) {
    const what = 'entries above this one have all that it selects, so it gets no requests';
    return { code: 'shadowed-entry', what, hint: 'Move it up, or select less above' };
  }
  if (!first) {
    const what = 'the entry selects nothing, and gets no requests';
    return { code: 'unserved-entry', what, hint: grantHint(forbidden, service) };
  }
  const what = `no replica of ${resourceId(first.resource)} is in rotation where the entry asks for one, so it gets no requests`;
  return { code: 'unserved-entry', what, hint: 'Place one there, or correct the selector' };
}
