import type * as Cdk8s from 'cdk8s';
import type { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { writeFileAtomic } from '../src/files/write-file';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import {
  CHARTS_LOCK_VARIABLE,
  CHARTS_VARIABLE,
  formatProgramCharts,
  type ProgramChart,
} from '../src/manifest/program-charts';
import { endProgram } from './end-program';

/**
 * The path of the lock that `place()` reads: that of the program, or the one with which the command line runs it.
 * Undefined for an ephemeral fleet.
 */
export function findRequestedLock(own: string | undefined): string | undefined {
  const { [CHARTS_VARIABLE]: file, [CHARTS_LOCK_VARIABLE]: lock } = process.env;
  if (!file || !lock) return own;
  return lock === 'ephemeral' ? undefined : lock;
}

/** If the command line runs the program to its end, writes all charts of its app then, as they are. */
export function emitChartsIfRequested(fleet: IConstruct, charts: ReadonlyMap<string, Chart>): void {
  const file = process.env[CHARTS_VARIABLE];
  if (!file) return;
  process.on('exit', (code) => {
    if (code === 0) writeFileAtomic(file, formatProgramCharts(readCharts(fleet.node.root, charts)));
  });
}

/** If the command line runs a program without charts of `place()` to its end, reports it and ends the program. */
export function emitNoChartsIfRequested(): void {
  const file = process.env[CHARTS_VARIABLE];
  if (!file) return;
  writeFileAtomic(file, formatProgramCharts(undefined));
  endProgram();
}

function readCharts(root: IConstruct, placed: ReadonlyMap<string, Chart>): ProgramChart[] {
  const { Chart: ChartClass, Names } = require('cdk8s') as typeof Cdk8s;
  const clusters = new Map([...placed].map(([name, chart]) => [chart, name]));
  return root.node
    .findAll()
    .filter((one): one is Chart => ChartClass.isChart(one))
    .map((chart) => {
      const cluster = clusters.get(chart);
      const name = cluster ?? Names.toDnsLabel(chart);
      return { name, isCluster: cluster !== undefined, objects: chart.toJson() as Manifest[] };
    });
}
