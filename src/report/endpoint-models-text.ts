import { pluralize } from '../base/text';
import type { EndpointModels } from '../live/smoke/endpoint-models';
import { formatLevel } from './doctor-text';
import { type Block, firstItems, type Item, section } from './document/document';

/** The most names of new, or of gone, models that are printed for an endpoint. JSON output has all. */
const MAX_NAMES = 20;

/** Formats the models that providers list, against those that are declared. `quiet` omits endpoints without changes. */
export function formatEndpointModels(
  endpoints: readonly EndpointModels[],
  written: readonly string[],
  quiet = false,
): Block[] {
  const shown = endpoints.filter(({ level }) => !(quiet && level === 'ok'));
  const answered = endpoints.filter(({ level }) => level !== 'failure').length;
  return [
    ...section(shown.map(formatEndpoint)),
    ...written.map((path) => `Wrote the models to ${path}.`),
    endpoints.length === 0
      ? 'The fleet has no endpoint to check.'
      : `${answered} of ${pluralize(endpoints.length, 'endpoint')} answering.`,
  ];
}

function formatEndpoint({ level, endpoint, url, what, added, gone }: EndpointModels): Item {
  const text = [formatLevel(level), `  ${endpoint} at ${url}: ${what.replace(/\.$/, '')}.`];
  return { text, below: [...formatNames(added, '+', 'add'), ...formatNames(gone, '-', 'remove')] };
}

function formatNames(names: readonly string[], sign: string, look: 'add' | 'remove'): Item[] {
  const lines = names.map((text): Item => ({ text, mark: { sign, look } }));
  return firstItems(lines, MAX_NAMES, (count): Item => ({ text: `and ${count} more`, mark: { sign, look } }));
}
