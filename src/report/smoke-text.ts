import { joinNames, pluralize } from '../base/text';
import type { SmokeResult } from '../live/smoke/smoke-test';
import { formatLevel } from './doctor-text';
import { type Block, type Item, section } from './document/document';

/** A service counts as answering if it answers at all of its URLs. `quiet` omits the URLs that answered. */
export function formatSmoke(services: readonly SmokeResult[], quiet = false): Block[] {
  const shown = services.filter(({ level }) => !(quiet && level === 'ok'));
  const all = new Set(services.map(({ service }) => service));
  const failing = new Set(services.flatMap(({ level, service }) => (level === 'ok' ? [] : [service])));
  return [
    ...section(shown.map(formatAnswer)),
    all.size === 0
      ? 'The fleet has no service to check.'
      : `${all.size - failing.size} of ${pluralize(all.size, 'service')} answering${formatUnrouted(services)}.`,
  ];
}

/** What an exit code of 0 does not cover: services without a URL, which were not asked. */
function formatUnrouted(services: readonly SmokeResult[]): string {
  const names = services.flatMap(({ service, url }) => (url === undefined ? [service] : []));
  return names.length === 0 ? '' : `; ${names.length} unknown, because no gateway has a route to ${joinNames(names)}`;
}

function formatAnswer({ level, service, url, model, what }: SmokeResult): Item {
  const target = [url === undefined ? [] : [`at ${url}`], model === undefined ? [] : [`for ${model}`]].flat();
  return { text: [formatLevel(level), `  ${[service, ...target].join(' ')}: ${what.replace(/\.$/, '')}.`] };
}
