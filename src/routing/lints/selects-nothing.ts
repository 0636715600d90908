import type { Fault } from '../../api/checks/fault';
import { resourceId } from '../../api/kinds';
import { type EmptyEntry, emptyEntries } from './empty-entries';
import { grantHint } from './grant-hint';
import type { Scene } from './scene';

/** Services that can never send a request anywhere. */
export function* selectsNothing(scene: Scene): Iterable<Fault> {
  for (const { service, entries, hopeless } of emptyEntries(scene)) {
    if (!hopeless || service.group === 'modelplane.ai') continue;
    yield {
      code: 'selects-nothing',
      resource: service,
      path: ['spec', 'endpoints'],
      what: `nothing in namespace '${service.metadata.namespace}' has the labels that the service selects`,
      hint: grantHint(forbiddenTo(entries), service),
    };
  }
}

/** The same of services under the alias group, where it stops nothing. */
export function selectsNothingNotes(scene: Scene): string[] {
  return emptyEntries(scene)
    .filter(({ service, hopeless }) => hopeless && service.group === 'modelplane.ai')
    .map(({ service, entries }) => {
      const hint = grantHint(forbiddenTo(entries), service);
      return `${resourceId(service)} has no routes: nothing in its namespace has the labels that it selects. ${hint}.`;
    });
}

function forbiddenTo(entries: readonly EmptyEntry[]): EmptyEntry['forbidden'] {
  return entries.flatMap(({ forbidden }) => forbidden);
}
