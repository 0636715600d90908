import { pluralize } from '../base/text';
import type { SmokeResult } from '../live/smoke/smoke-test';
import { formatLevel } from './doctor-text';
import { type Block, type Item, section } from './document/document';

/**
 * What services said, a line a URL, for a person; a service answers if it does at all of them. With `quiet` those that
 * answered are only counted.
 */
export function formatSmoke(services: readonly SmokeResult[], quiet: boolean): Block[] {
  const shown = services.filter(({ level }) => !(quiet && level === 'ok'));
  const all = new Set(services.map(({ service }) => service));
  const silent = new Set(services.flatMap(({ level, service }) => (level === 'ok' ? [] : [service])));
  return [
    ...section(shown.map(formatAnswer)),
    all.size === 0
      ? 'The fleet has no service to ask.'
      : `${all.size - silent.size} of ${pluralize(all.size, 'service')} answering.`,
  ];
}

function formatAnswer({ level, service, url, model, what }: SmokeResult): Item {
  const asked = [url === undefined ? [] : [`at ${url}`], model === undefined ? [] : [`for ${model}`]].flat();
  return { text: [formatLevel(level), `  ${[service, ...asked].join(' ')}: ${what.replace(/\.$/, '')}.`] };
}
