import { pluralize } from '../base/text';
import type { SmokeResult } from '../live/smoke/smoke-test';
import { formatLevel } from './doctor-text';
import type { Style } from './document/terminal-style';

/**
 * What services said, a line a URL, for a person; a service answers if it does at all of them. With `quiet` those that
 * answered are only counted.
 */
export function formatSmoke(services: readonly SmokeResult[], style: Style, quiet: boolean): string {
  const shown = services.filter(({ level }) => !(quiet && level === 'ok'));
  const all = new Set(services.map(({ service }) => service));
  const silent = new Set(services.flatMap(({ level, service }) => (level === 'ok' ? [] : [service])));
  return [
    ...shown.map((one) => formatResult(one, style)),
    ...(shown.length > 0 ? [''] : []),
    all.size === 0
      ? 'The fleet has no service to ask.'
      : `${all.size - silent.size} of ${pluralize(all.size, 'service')} answering.`,
    '',
  ].join('\n');
}

function formatResult({ level, service, url, model, what }: SmokeResult, style: Style): string {
  const asked = [url === undefined ? [] : [`at ${url}`], model === undefined ? [] : [`for ${model}`]].flat();
  return `${formatLevel(level, style)}  ${[service, ...asked].join(' ')}: ${what.replace(/\.$/, '')}.`;
}
