import { isMap, listAt, textAt, tryParseJson, valueAt } from '../../base/json';
import { changeOf, type PreviewedChange } from './operations';

/** What Pulumi would do to a resource. */
export interface PreviewedResource {
  readonly change: PreviewedChange;
  readonly type: string;
  readonly name: string;

  /** The fields that change, of a replacement those that force it. */
  readonly fields: readonly string[];

  /** Whether what is replaced or deleted stays where it is, and only leaves the state. */
  readonly retained: boolean;
}

/** What Pulumi, a provider or the program said. */
interface PreviewMessage {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** A rule of a policy pack of Pulumi that a resource breaks. */
export interface PolicyViolation {
  readonly policy: string;
  readonly resource: string;

  /** Whether the update is refused. Otherwise it is advice. */
  readonly mandatory: boolean;
  readonly text: string;
}

/** The result of `pulumi preview --json`. */
export interface StackPreview {
  /** What changes, in the order of Pulumi. */
  readonly resources: readonly PreviewedResource[];
  readonly unchanged: number;
  readonly messages: readonly PreviewMessage[];
  readonly violations: readonly PolicyViolation[];

  /** Whether the text was the result of a preview. A run that fails early prints none. */
  readonly understood: boolean;
}

/**
 * Reads what `pulumi preview --json` prints: a document, or with PULUMI_ENABLE_STREAMING_JSON_PREVIEW an event a line,
 * which alone has violations of policies. Other lines, as of package managers, are left out.
 *
 * Facts: `PreviewDigest` in sdk/go/common/display and `EngineEvent` in sdk/go/common/apitype/events.go of pulumi/pulumi.
 */
export function readStackPreview(text: string): StackPreview {
  const records = readRecords(text);
  const steps = records.flatMap(({ step }) => (step === undefined ? [] : [step]));
  const messages = records.flatMap(({ message }) => (message === undefined ? [] : readMessage(message)));
  const violations = records.flatMap(({ violation }) => (violation === undefined ? [] : [readViolation(violation)]));
  const byUrn = new Map<string, PreviewedResource | undefined>();
  for (const step of steps) {
    const urn = textAt(step, ['urn']);
    // A replacement is reported as several steps of one resource.
    if (byUrn.get(urn)?.change !== 'replace') byUrn.set(urn, readStep(step, urn));
  }
  const found = [...byUrn.values()];
  return {
    resources: found.filter((one) => one !== undefined),
    unchanged: Math.max(found.filter((one) => one === undefined).length, ...records.map(({ same = 0 }) => same)),
    messages: distinctBy(messages, ({ severity, text }) => `${severity} ${text}`),
    violations: distinctBy(violations, (one) => JSON.stringify(one)),
    understood: records.length > 0,
  };
}

/** A part of the result: one of these, or another event. */
interface PreviewRecord {
  /** How many resources stay as they are. The document lists few of them. */
  readonly same?: number;
  readonly step?: unknown;
  readonly message?: unknown;
  readonly violation?: unknown;
}

function readRecords(text: string): PreviewRecord[] {
  const start = /^\{/m.exec(text)?.index;
  if (start === undefined) return [];
  const whole = tryParseJson(text.slice(start));
  if (isDigest(whole)) return readDigest(whole);
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? readEvent(tryParseJson(line)) : []));
}

function isDigest(value: unknown): boolean {
  return isMap(value) && ['steps', 'diagnostics', 'changeSummary', 'config'].some((key) => key in value);
}

function readDigest(digest: unknown): PreviewRecord[] {
  const same = valueAt(digest, ['changeSummary', 'same']);
  return [
    { same: typeof same === 'number' ? same : 0 },
    ...listAt(digest, ['steps']).map((step) => ({ step })),
    ...listAt(digest, ['diagnostics']).map((message) => ({ message })),
    ...listAt(digest, ['policyViolations']).map((violation) => ({ violation })),
  ];
}

function readEvent(event: unknown): PreviewRecord[] {
  if (!isMap(event) || typeof event['sequence'] !== 'number') return [];
  const { resourcePreEvent, diagnosticEvent, policyEvent, errorEvent } = event;
  return [
    {
      step: valueAt(resourcePreEvent, ['metadata']),
      message: errorEvent ? { severity: 'error', message: textAt(errorEvent, ['error']) } : diagnosticEvent,
      violation: policyEvent,
    },
  ];
}

function readStep(step: unknown, urn: string): PreviewedResource | undefined {
  const change = changeOf(textAt(step, ['op']));
  if (change === undefined) return undefined;
  const forced = textsAt(step, ['replaceReasons'], ['keys']);
  const fields = change === 'replace' && forced.length > 0 ? forced : changedFields(step);
  const before = valueAt(step, ['oldState']) ?? valueAt(step, ['old']);
  const retained = valueAt(before, ['retainOnDelete']) === true;
  return { change, ...splitUrn(urn), fields, retained: retained && (change === 'replace' || change === 'delete') };
}

/** The paths that a provider names, which say more than the names of whole properties. */
function changedFields(step: unknown): readonly string[] {
  const detailed = valueAt(step, ['detailedDiff']);
  return isMap(detailed) ? Object.keys(detailed).sort() : textsAt(step, ['diffReasons'], ['diffs']);
}

/** The texts of the first of some lists that has any. */
function textsAt(value: unknown, ...paths: readonly (readonly string[])[]): readonly string[] {
  const lists = paths.map((path) => listAt(value, path).filter((one) => typeof one === 'string'));
  return [...(lists.find((list) => list.length > 0) ?? [])].sort();
}

/** `urn:pulumi:STACK::PROJECT::PARENTS$TYPE::NAME`. A name can hold colons. */
function splitUrn(urn: string): { readonly type: string; readonly name: string } {
  const [, , types = '', ...name] = urn.split('::');
  return { type: types.slice(types.lastIndexOf('$') + 1), name: name.join('::') };
}

/** What a program prints on standard error has the severity `info#err`. */
const SEVERITIES: Readonly<Record<string, PreviewMessage['severity']>> = {
  error: 'error',
  'info#err': 'error',
  warning: 'warning',
};

function readMessage(message: unknown): PreviewMessage[] {
  const severity = SEVERITIES[textAt(message, ['severity'])];
  const text = toPlainText(textAt(message, ['message'])).replace(/^(?:error|warning): /, '');
  if (severity === undefined || text === '' || valueAt(message, ['ephemeral']) === true) return [];
  const { type, name } = splitUrn(textAt(message, ['urn']));
  const hint = type === RELEASE && severity === 'error' && UNREACHABLE.test(text) ? `\n${CHART_HINT}` : '';
  return [{ severity, text: name === '' || type === 'pulumi:pulumi:Stack' ? text : `${name}: ${text}${hint}` }];
}

const RELEASE = 'kubernetes:helm.sh/v3:Release';

/** Matches what Helm says when it cannot fetch a chart. */
const UNREACHABLE =
  /dial tcp|no such host|i\/o timeout|connection refused|context deadline exceeded|failed to (?:do request|download|fetch|pull)|is not a valid chart repository/i;

const CHART_HINT =
  'Its chart cannot be fetched. Set fleetwright:chartSource to a mirror or to a folder of charts, or chartSource of the FleetStack.';

function readViolation(event: unknown): PolicyViolation {
  const pack = textAt(event, ['policyPackName']);
  return {
    policy: `${pack === '' ? '' : `${pack}/`}${textAt(event, ['policyName'])}`,
    resource: splitUrn(textAt(event, ['resourceUrn'])).name,
    mandatory: textAt(event, ['enforcementLevel']) !== 'advisory',
    text: toPlainText(textAt(event, ['message'])),
  };
}

// oxlint-disable-next-line no-control-regex -- colours of terminals start with the character for escapes
const COLOURS = /\u001b\[[\d;]*m|<\{%[^%]*%\}>/g;

/** Removes colours of terminals, and those that Pulumi itself writes: `<{%fg 1%}>`. */
export function toPlainText(text: string): string {
  return text.replace(COLOURS, '').trim();
}

function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
