import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { capitalize, decapitalize, joinNames, joinSentences, pluralize, toSentence } from '../../base/text';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { GateFinding } from '../../diff/gate-findings';
import { type Cause, dedupeCauses } from '../../diff/replica-causes';
import { MIN_GROUP } from '../document/group-alike';
import { numberSteps } from '../plan/listed-moves';
import { CITE_IN_FULL, citeNumbers, type CiteEdits, formatBecause, type FormatCauses } from './change-sentences';
import { adviceOf, type Advice, formatAdvice, formatChoiceLines, introduceChoices } from './choices';
import { describeFinding, type FindingText, type Located } from './finding-descriptions';
import type { EarlierEdits } from './earlier-edits';
import { describeSharedNeeds } from './room-sentences';

/** What is refused, and what to do about it. */
export interface RefusalText extends Advice {
  /** A clause. */
  readonly what: string;

  /** What clients see meanwhile, as a sentence without its last full stop. Absent: that is said, or nothing. */
  readonly effect?: string | undefined;

  /** What its choices solve. Default: it is clear. */
  readonly scope?: string | undefined;
}

/** Formats a finding of the gate: `ml/chat: the entry tier=canary selects nothing any more. ...`. */
export function formatGateFinding(finding: GateFinding, located: Located): string {
  const text = describeFinding(finding, located);
  return formatRefusalText({ ...text, ...joinEffects([text]) });
}

const SERVICE_FINDINGS: ReadonlySet<GateFinding['kind']> = new Set([
  'entry-lost',
  'share-step',
  'address-gone',
  'access-lost',
  'service-outage',
  'no-gateway',
  'gateway-closed',
  'service-silent',
  'gateway-down',
  'model-gone',
  'model-unanswered',
  'requests-fail',
]);

/**
 * Describes findings. Deployments to which the same happens for the same causes share a sentence. Of many other findings
 * of one kind, the first is a sentence behind their number, and the others are named.
 */
export function describeGateFindings(findings: readonly GateFinding[], located: Located): RefusalText[] {
  const alike = groupSameText(findings, located).flatMap((group) => describeAlike(group, located));
  return [...groupBy(alike, ({ kind }) => kind).values()].flatMap((all) => {
    const group = all.toSorted((a, b) => costOf(a) - costOf(b));
    const [first, ...others] = group;
    const subjects = sortUnique(group.flatMap(({ ids }) => ids));
    const together = describeSharedNeeds(
      group.flatMap(({ changes }) => changes),
      subjects,
    );
    const shared = others.length === 0 ? undefined : findShared(group);
    if (first && shared !== undefined) {
      const causes = citeNumbers(dedupeCauses(group.flatMap((one) => one.causes)), located.cite);
      const what = `${capitalize(shared)} (${joinNames(subjects)})${causes}`;
      return [{ what, ...joinEffects(group), ...adviceOf(first) }];
    }
    if (!first || others.length === 0 || subjects.length < MIN_GROUP) {
      return group.map(({ what, effects = [], ...advice }, i) => {
        const last = i === group.length - 1 ? together : [];
        const hint = joinSentences([advice.hint, ...last]);
        return { what, ...joinEffects([{ effects }]), ...adviceOf(advice), hint };
      });
    }
    const rest = nameOthers(
      group,
      subjects.filter((id) => !first.ids.includes(id)),
    );
    const part = first.ids.length > 1 ? `${formatCount(first.ids.length)} of ` : '';
    const what = `${part}${pluralize(subjects.length, first.noun)}: ${first.what}`;
    const hint = joinSentences([first.hint, `The others: ${rest}`, ...together]);
    return [{ what, ...joinEffects(group), ...adviceOf(first), hint }];
  });
}

/** Groups findings with the same text but for what they are about. Of many, their causes may differ in that too. */
function groupSameText(findings: readonly GateFinding[], located: Located): GateFinding[][] {
  return [...groupBy(findings, ({ kind }) => kind).values()].flatMap((all) => {
    const isMany = new Set(all.map(subjectOf)).size >= MIN_GROUP;
    return [
      ...groupBy(all, (finding) => {
        const cite = isMany ? citeAsTemplate(subjectOf(finding)) : located.cite;
        const text = splitSubject(finding, cite ? { ...located, cite } : located);
        return `${text.rest}\n${formatAdvice(text)}`;
      }).values(),
    ];
  });
}

/** Names edits without their positions and without the deployment that they are of. */
function citeAsTemplate(id: string): CiteEdits {
  const because: FormatCauses = (causes) => {
    const texts = causes.map((cause) => formatBecause([{ ...cause, where: '' }]));
    return texts.join('\n').replaceAll(`ModelDeployment ${id} `, 'ModelDeployment ');
  };
  return { because, nameEdits: because };
}

/** Names all causes of findings by their numbers, or those of the first. */
function citeAll(group: readonly GateFinding[], located: Located): CiteEdits {
  const { cite = CITE_IN_FULL } = located;
  const named: Cause[] = [];
  const collect = (causes: readonly Cause[]): string => {
    named.push(...causes);
    return '';
  };
  for (const finding of group) describeFinding(finding, { ...located, cite: { because: collect, nameEdits: collect } });
  const isNumbered = cite.nameEdits(named) !== undefined;
  const allOf = (causes: readonly Cause[]): readonly Cause[] => (causes.length > 0 && isNumbered ? named : causes);
  return {
    because: (causes) => {
      const text = cite.because(allOf(causes));
      return isNumbered || text === '' ? text : `${text}, and the like of the others`;
    },
    nameEdits: (causes) => cite.nameEdits(allOf(causes)),
  };
}

interface AlikeFindings extends Omit<FindingText, 'earlier' | 'causes'>, Remedied {
  readonly causes: readonly Cause[];
  readonly kind: GateFinding['kind'];
  readonly noun: string;
  readonly changes: readonly DeploymentDiff[];
}

/** The text of findings that have the same one. */
function describeAlike(group: readonly GateFinding[], located: Located): AlikeFindings[] {
  const [finding, ...others] = group;
  if (!finding) return [];
  const cite = others.length > 0 ? citeAll(group, located) : located.cite;
  const texts = group.map((one) => splitSubject(one, located));
  const first = splitSubject(finding, cite ? { ...located, cite } : located);
  const ids = group.map(subjectOf);
  const what = others.length > 0 ? `${joinNames(ids)} ${first.rest}` : first.what;
  const noun = SERVICE_FINDINGS.has(finding.kind) ? 'service' : 'deployment';
  const changes = group.flatMap((one) => ('change' in one ? [one.change] : []));
  const effects = texts.flatMap((one) => one.effects ?? []);
  const causes = texts.flatMap((one) => one.causes ?? []);
  return [{ ...first, kind: finding.kind, noun, ids, what, causes, effects, changes }];
}

interface Remedied {
  readonly ids: readonly string[];
  readonly earlier?: EarlierEdits | undefined;
}

/** What the edits of an earlier change cost. The order of others is kept. */
function costOf({ earlier }: Remedied): number {
  return earlier?.cost ?? Number.MAX_VALUE;
}

/** `ml/a, ml/b`; with the edits of each where these are known: `set 'replicas: 2' (cost unchanged) for ml/a and ml/b`. */
function nameOthers(group: readonly Remedied[], names: readonly string[]): string {
  if (group.every(({ earlier }) => earlier === undefined)) return joinNames(names);
  const own = group.map(({ ids, earlier }) => ({ ids: ids.filter((id) => names.includes(id)), text: earlier?.text }));
  const byText = [
    ...groupBy(
      own.filter(({ ids }) => ids.length > 0),
      ({ text = '' }) => text,
    ),
  ];
  return byText
    .map(([text, all]) => {
      const ids = joinNames(sortUnique(all.flatMap((one) => one.ids)));
      return text === '' ? ids : `${text} for ${ids}`;
    })
    .join('; ');
}

/** What is wrong with all of a group alike, with the same thing to do about it. Undefined: it differs. */
function findShared([first, ...others]: readonly (Advice & Pick<FindingText, 'shared'>)[]): string | undefined {
  const advice = first && formatAdvice(first);
  const isAlike = others.every((one) => one.shared === first?.shared && formatAdvice(one) === advice);
  return isAlike ? first?.shared : undefined;
}

/** Formats findings as sentences without the last full stop. */
export function formatGateFindings(findings: readonly GateFinding[], located: Located): string[] {
  return describeGateFindings(findings, located).map(formatRefusalText);
}

/** A finding as sentences, without the last full stop. */
export function formatRefusalText({ what, effect, ...advice }: RefusalText): string {
  return [what, ...(effect === undefined ? [] : [effect]), formatAdvice(advice)].join('. ');
}

/** Formats a finding for a terminal: `refused: ...`, and a line for each choice. */
export function formatRefusedLines({ what, effect, choices, hint, scope, steps = [] }: RefusalText): string {
  const said = [what, ...(effect === undefined ? [] : [effect])];
  const numbered = numberSteps(steps).map((step) => `  ${step}`);
  if (!choices) return `${[`refused: ${toSentence(joinSentences([...said, hint]))}`, ...numbered].join('\n')}\n`;
  const lines = choices.flatMap((one) => formatChoiceLines(one).map((line) => `  ${line}`));
  const rest = [...(hint === '' ? [] : [`  ${toSentence(hint)}`]), ...numbered];
  const intro = `${toSentence(joinSentences(said))} ${introduceChoices(choices, scope)}`;
  return `${[`refused: ${intro}`, ...lines, ...rest].join('\n')}\n`;
}

/** The scope of advice next to a remedy that solves all problems. */
export const ALONE = 'this problem alone';

/** `For this problem alone: set 'replicas: 2'`. */
export function limitAdvice(hint: string, scope: string | undefined): string {
  return scope === undefined || hint === '' ? hint : `For ${scope}: ${decapitalize(hint)}`;
}

/** The most services of which a sentence says what clients see. */
const MAX_EFFECTS = 3;

function joinEffects(findings: readonly Pick<FindingText, 'effects'>[]): Pick<RefusalText, 'effect'> {
  const effects = sortUnique(findings.flatMap((one) => one.effects ?? []));
  return effects.length === 0 ? {} : { effect: capitalize(joinNames(effects, MAX_EFFECTS, '; ')) };
}

/** How what happens to a deployment begins, and the same of several. */
const VERBS = [
  ['has', 'have'],
  ['may have', 'may have'],
] as const;

/** A finding, with what it is about, and what several have if it begins with that. */
function splitSubject(finding: GateFinding, located: Located): FindingText & { id: string; rest: string } {
  const text = describeFinding(finding, located);
  const { what } = text;
  const id = subjectOf(finding);
  const verb = 'change' in finding ? VERBS.find(([has]) => what.startsWith(`${id} ${has} `)) : undefined;
  if (!verb) return { ...text, id, rest: what };
  const [has, have] = verb;
  return { ...text, id, rest: `${have}${what.slice(id.length + has.length + 1)}` };
}

/** The deployment or service that a finding is about: `namespace/name`. */
export function subjectOf(finding: GateFinding): string {
  if ('change' in finding) return finding.change.deployment;
  if ('pools' in finding) return finding.coming.join(', ');
  if ('id' in finding) return finding.id;
  if ('former' in finding) return finding.former;
  if ('services' in finding) return finding.services.map(qualifiedNameOf).join(', ');
  return qualifiedNameOf('deployment' in finding ? finding.deployment : finding.service);
}

/** Returns the findings as errors, each at the line that causes it. */
export function toGateProblems(findings: readonly GateFinding[], located: Located): Diagnostic[] {
  return findings.flatMap((finding) => {
    const { code, what, effects = [], where, ...advice } = describeFinding(finding, located);
    return where === undefined ? [] : [errorAt(code, where, [what, ...effects].join('; '), formatAdvice(advice))];
  });
}
