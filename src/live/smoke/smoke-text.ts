import { plural } from '../../plan/format';
import type { Style } from '../../plan/style';
import type { Level } from '../finding';
import type { ServiceSmoke } from './service-smoke';

const MARKS: Readonly<Record<Level, { readonly mark: string; readonly colour: keyof Style }>> = {
  ok: { mark: 'ok', colour: 'add' },
  warning: { mark: 'warning', colour: 'warn' },
  failure: { mark: 'FAILURE', colour: 'remove' },
  unknown: { mark: 'unknown', colour: 'change' },
};

const WIDTH = 'unknown'.length;

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
    `${all.size - silent.size} of ${plural(all.size, 'service')} answering.`,
    '',
  ].join('\n');
}

function line({ level, service, url, model, what }: ServiceSmoke, style: Style): string {
  const { mark, colour } = MARKS[level];
  const asked = [url === undefined ? [] : [`at ${url}`], model === undefined ? [] : [`for ${model}`]].flat();
  return `${style[colour](mark.padEnd(WIDTH))}  ${[service, ...asked].join(' ')}: ${what.replace(/\.$/, '')}.`;
}
