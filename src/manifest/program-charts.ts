import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { isMap, listAt, textAt, tryParseJson, valueAt } from '../base/json';
import type { Manifest } from './kubernetes/manifest';

/** The environment variable that names the file to which a program writes its charts when it ends. */
export const CHARTS_VARIABLE = 'FLEETWRIGHT_CHARTS';

/** The environment variable with the path of the lock that such a run reads, or `ephemeral`. */
export const CHARTS_LOCK_VARIABLE = 'FLEETWRIGHT_CHARTS_LOCK';

/** A chart of a program at its end: with all patches, and objects that the program adds. */
export interface ProgramChart {
  /** The name of the chart; of a chart that `place()` returned, the name of its cluster. */
  readonly name: string;

  /** Whether `place()` returned it. */
  readonly isCluster: boolean;

  /** Its objects, in the order in which to apply them. */
  readonly objects: readonly Manifest[];
}

/** Formats the charts of a program for the command line. Undefined: the program has no charts of `place()`. */
export function formatProgramCharts(charts: readonly ProgramChart[] | undefined): string {
  return `${JSON.stringify({ charts: charts ?? null })}\n`;
}

/**
 * Parses the charts that a program wrote. Undefined if it has no charts of `place()`.
 *
 * @throws FleetwrightError if something else was written
 */
export function parseProgramCharts(text: string, path: string): ProgramChart[] | undefined {
  const document = tryParseJson(text);
  if (isMap(document) && document['charts'] === null) return undefined;
  const charts = listAt(document, ['charts']);
  if (isMap(document) && Array.isArray(document['charts']) && charts.every(isProgramChart)) return [...charts];
  const what = `the program wrote something other than charts to ${CHARTS_VARIABLE}`;
  throw new FleetwrightError([errorAt('program-failed', path, what, 'Leave that file to place() of its Fleet')]);
}

function isProgramChart(value: unknown): value is ProgramChart {
  const hasFields = textAt(value, ['name']) !== '' && typeof valueAt(value, ['isCluster']) === 'boolean';
  return hasFields && Array.isArray(valueAt(value, ['objects'])) && listAt(value, ['objects']).every(isManifest);
}

function isManifest(value: unknown): value is Manifest {
  return textAt(value, ['kind']) !== '' && textAt(value, ['metadata', 'name']) !== '';
}
