import { plural } from '../../plan/format';
import type { Style } from '../../plan/style';
import { levelMark } from '../level-mark';
import type { ServiceSmoke } from './service-smoke';

/**
 * What services said, a line a URL, for a person; a service answers if it does at all of them. With `quiet` those that
 * answered are only counted.
 */
export function formatSmoke(services: readonly ServiceSmoke[], style: Style, quiet: boolean): string {
  const shown = services.filter(({ level }) => !(quiet && level === 'ok'));
  const all = new Set(services.map(({ service }) => service));
  const silent = new Set(services.flatMap(({ level, service }) => (level === 'ok' ? [] : [service])));
  return [
    ...shown.map((one) => line(one, style)),
    ...(shown.length > 0 ? [''] : []),
    all.size === 0
      ? 'The fleet has no service to ask.'
      : `${all.size - silent.size} of ${plural(all.size, 'service')} answering.`,
    '',
  ].join('\n');
}

function line({ level, service, url, model, what }: ServiceSmoke, style: Style): string {
  const asked = [url === undefined ? [] : [`at ${url}`], model === undefined ? [] : [`for ${model}`]].flat();
  return `${levelMark(level, style)}  ${[service, ...asked].join(' ')}: ${what.replace(/\.$/, '')}.`;
}
