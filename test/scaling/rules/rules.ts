import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { counted } from '../../kubernetes/harness/say';
import { atEnd } from '../../kubernetes/harness/shutdown';
import { ALERTS, type AlertName, RUNBOOKS, runbookPageOf } from '../../../src/catalog/alerts';
import { ROOT } from '../harness/paths';
import { PROMETHEUS, prometheusProgram } from '../harness/prometheus';
import type { Part } from '../main';
import { ALERT_CASES, type AlertCase } from './alert-cases';
import { RECORDING_CASES, type RecordingCase } from './recording-cases';

/** Rules as they are emitted, unchanged, on promtool: they load, and record and alert as the cases say. */
export const rules: Part = {
  name: 'rules',
  async run() {
    const promtool = await prometheusProgram('promtool');
    const work = mkdtempSync(join(tmpdir(), 'rules-'));
    atEnd(() => rmSync(work, { recursive: true, force: true }));
    const emitted = writeRules(work);
    const failures = [...uncoveredAlerts()];
    failures.push(...(await call(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', ...emitted.files])));
    const tests = [...ALERT_CASES.map(alertTest), ...RECORDING_CASES.map(recordingTest)];
    const file = join(work, 'tests.yaml');
    const rules = { rule_files: ['monitoring.yaml'], group_eval_order: evaluationOrder(emitted.groups) };
    writeFileSync(file, stringify({ ...rules, evaluation_interval: '1m', tests }));
    failures.push(...(await call(promtool, ['test', 'rules', file])));
    const figures = [
      `Prometheus ${PROMETHEUS}: ${counted(emitted.rules, 'rule')} of ${counted(emitted.files.length, 'example')} load`,
      `${counted(Object.keys(ALERTS).length, 'alert')} go from pending to firing to resolved in ${counted(ALERT_CASES.length, 'case')}`,
      `${counted(RECORDING_CASES.length, 'case')} of recording rules`,
    ];
    return { failures, figures };
  },
};

/**
 * The groups with alerts last: promtool otherwise evaluates groups in any order, and an alert would see what was recorded
 * a minute before.
 */
function evaluationOrder(groups: readonly string[]): string[] {
  return [...groups.filter((group) => !isOfAlerts(group)), ...groups.filter(isOfAlerts)];
}

function isOfAlerts(group: string): boolean {
  return group.endsWith('/alerts');
}

/** Writes the rules of each example into one file, as the operator gives them to Prometheus. */
function writeRules(work: string): { files: string[]; rules: number; groups: string[] } {
  const files: string[] = [];
  const names: string[] = [];
  let rules = 0;
  for (const example of readdirSync(join(ROOT, 'examples'))) {
    const groups = manifestsOf(join(ROOT, 'examples', example, 'expected'))
      .filter(({ kind }) => kind === 'PrometheusRule')
      .flatMap(({ spec }) => spec?.groups ?? []);
    if (groups.length === 0) continue;
    const file = join(work, `${example}.yaml`);
    mkdirSync(work, { recursive: true });
    writeFileSync(file, stringify({ groups }));
    files.push(file);
    if (example === 'monitoring') names.push(...groups.map(({ name }) => name));
    rules += groups.reduce((sum, group) => sum + group.rules.length, 0);
  }
  return { files, rules, groups: names };
}

interface Rules {
  readonly kind?: string;
  readonly spec?: { readonly groups?: readonly { readonly name: string; readonly rules: readonly unknown[] }[] };
}

function manifestsOf(folder: string): Rules[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
      .map((document) => document.toJS() as Rules);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function uncoveredAlerts(): string[] {
  const covered = new Set(ALERT_CASES.map(({ alert }) => alert));
  return (Object.keys(ALERTS) as AlertName[])
    .filter((alert) => !covered.has(alert))
    .map((alert) => `${alert} has no case`);
}

function alertTest({ name, alert, series, pending, firing, resolved, labels, summary, description }: AlertCase) {
  const own = { ...labels, team: 'inference', severity: ALERTS[alert].severity };
  const state = (minutes: number, expected: 'firing' | 'pending' | undefined) => ({
    expr: `ALERTS{alertname="${alert}"}`,
    eval_time: `${minutes}m`,
    exp_samples:
      expected === undefined
        ? []
        : [{ labels: labelsText('ALERTS', { ...own, alertname: alert, alertstate: expected }), value: 1 }],
  });
  const annotations = { summary, description, runbook_url: `${RUNBOOKS}/${runbookPageOf(alert)}` };
  return {
    name: `${alert}: ${name}`,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    promql_expr_test: [
      state(3, undefined),
      state(pending, 'pending'),
      state(firing, 'firing'),
      state(resolved, undefined),
    ],
    alert_rule_test: [
      { eval_time: `${pending}m`, alertname: alert, exp_alerts: [] },
      { eval_time: `${firing}m`, alertname: alert, exp_alerts: [{ exp_labels: own, exp_annotations: annotations }] },
      { eval_time: `${resolved}m`, alertname: alert, exp_alerts: [] },
    ],
  };
}

function recordingTest({ name, series, at, want }: RecordingCase) {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    promql_expr_test: Object.entries(want).map(([expr, samples]) => ({
      expr,
      eval_time: `${at}m`,
      exp_samples: samples.map(({ value, ...labels }) => ({
        labels: labelsText(expr.replace(/\{.*/, ''), labels),
        value,
      })),
    })),
  };
}

function labelsText(name: string, labels: Readonly<Record<string, string | number>>): string {
  return `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;
}

/** Runs promtool and returns what it prints where it fails. */
function call(program: string, args: readonly string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(program, [...args], { encoding: 'utf8', maxBuffer: 64 << 20 }, (error, out, err) => {
      resolve(error ? [`promtool ${args.slice(0, 2).join(' ')}:\n${err}${out}`] : []);
    });
  });
}
