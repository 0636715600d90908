import { plural } from './format';
import type { Drain, Stuck } from './plan';
import type { Style } from './style';

/** Whether a drain can finish, as one line: with `lock --settle`, once the replacements serve. */
export function formatDrain({ cluster, replicas, stuck }: Drain, style: Style): string {
  if (stuck.length === 0) {
    const have = replicas === 1 ? 'its 1 replica has' : `its ${replicas} replicas have`;
    return style.change(`drain of ${cluster}: can finish, ${have} a replacement`);
  }
  const more = stuck.length - MOST_NAMED;
  const names = [...stuck.slice(0, MOST_NAMED).map(formatStuck), ...(more > 0 ? [`${more} more`] : [])];
  const count = `${stuck.length} of ${plural(replicas, 'replica')}`;
  return style.warn(`drain of ${cluster}: cannot finish, ${count} cannot leave: ${names.join('; ')}`);
}

/** More replicas than this are counted. */
const MOST_NAMED = 8;

const WHY: Readonly<Record<Stuck['why'], string>> = {
  'no-replacement': 'has no replacement',
  paused: 'is paused',
};

function formatStuck({ placement: { deployment, cluster, index }, why }: Stuck): string {
  return `${deployment} ${cluster}/${index} ${WHY[why]}`;
}
