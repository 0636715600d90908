import { CI_SYSTEMS } from '../../analyze/starter/starter-answers';
import {
  MANAGED_STARTER_CLOUDS,
  STARTER_CLOUD_NAMES,
  STARTER_CLOUDS,
  type StarterCloud,
} from '../../analyze/starter/starter-clouds';
import { suggestGpus } from '../../analyze/starter/starter-pools';
import { formatDiagnostic } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { suggestName } from '../../base/name-suggestion';
import { joinNames } from '../../base/text';
import { BUILT_IN_MODELS } from '../../fleet/models/model-book';
import { commandError, meantHint } from '../command-error';
import { requireModel } from './fit';
import { chooseClouds, DEFAULT_CLOUD, DEFAULT_MODEL, type InitFlags } from './init-flags';
import { listNamedClouds } from './init-gpus';

/** A question for what flags do not say. */
interface Question {
  readonly isAnswered: (flags: InitFlags) => boolean;
  readonly text: string;

  /** What an empty answer means. */
  readonly preset: (flags: InitFlags) => string;
  readonly apply: (answer: string) => Partial<InitFlags>;
}

/** How manifests reach clusters, as flags. */
const APPLIED_BY: Readonly<Record<string, Partial<InitFlags>>> = {
  kubectl: { pulumi: false },
  argocd: { gitops: 'argocd' },
  flux: { gitops: 'flux' },
  pulumi: { pulumi: true },
  'pulumi+argocd': { pulumi: true, gitops: 'argocd' },
  'pulumi+flux': { pulumi: true, gitops: 'flux' },
};

const CLOUD_CHOICES = STARTER_CLOUD_NAMES.map((name) => `${name} (${STARTER_CLOUDS[name].label})`).join(', ');

const QUESTIONS: readonly Question[] = [
  {
    isAnswered: ({ clouds, gpus }) => clouds !== undefined || listNamedClouds(gpus ?? '').length > 0,
    text: `Which clouds, separated by commas? ${CLOUD_CHOICES}`,
    preset: () => DEFAULT_CLOUD,
    apply: (clouds) => ({ clouds }),
  },
  {
    isAnswered: ({ model }) => model !== undefined,
    text: "Which model? 'fleetwright model' lists those that are known",
    preset: () => DEFAULT_MODEL,
    apply: (model) => ({ model }),
  },
  {
    isAnswered: ({ gpus }) => gpus !== undefined,
    text: 'Which GPUs, separated by commas? The default is the cheapest that serves the model',
    preset: (flags) =>
      suggestGpus(requireModel(flags.model ?? DEFAULT_MODEL, BUILT_IN_MODELS), chooseClouds(flags)).join(','),
    apply: (gpus) => ({ gpus }),
  },
  {
    isAnswered: ({ gitops, pulumi }) => gitops !== undefined || pulumi !== undefined,
    text: `What applies the manifests? ${Object.keys(APPLIED_BY).join(', ')}`,
    preset: (flags) => (chooseClouds(flags).every((cloud) => cloud === 'existing') ? 'kubectl' : 'pulumi'),
    apply: applyTools,
  },
  {
    isAnswered: (flags) => flags.existing !== undefined || !flags.pulumi || listManagedClouds(flags).length < 2,
    text: 'Which of the clouds have a cluster that another tool creates, separated by commas? The default is none',
    preset: () => NONE,
    apply: (answer) => ({ existing: answer === NONE ? '' : answer }),
  },
  {
    isAnswered: ({ ci }) => ci !== undefined,
    text: `Which CI checks changes? ${CI_SYSTEMS.join(', ')}`,
    preset: () => CI_SYSTEMS[0],
    apply: (ci) => ({ ci }),
  },
];

const NONE = 'none';

function listManagedClouds(flags: InitFlags): StarterCloud[] {
  return chooseClouds(flags).filter((cloud) => MANAGED_STARTER_CLOUDS.includes(cloud));
}

function applyTools(answer: string): Partial<InitFlags> {
  const known = Object.keys(APPLIED_BY);
  const found = known.find((name) => name === answer.toLowerCase().replaceAll(' ', ''));
  if (found !== undefined) return APPLIED_BY[found] ?? {};
  const hint = meantHint(suggestName(answer, known), `Use one of ${joinNames(known)}`);
  throw commandError('bad-flag', 'init', `'${answer}' is not known`, hint);
}

/** The terminal, and what finds mistakes in answers. */
interface Interview {
  readonly ask: (question: string) => Promise<string>;
  readonly say: (text: string) => void;

  /** @throws FleetwrightError when the flags contradict each other or name what is not known */
  readonly check: (flags: InitFlags) => void;
}

/** Asks for everything that flags do not say. An answer that is wrong is reported, and asked for again. */
export async function askQuestions(flags: InitFlags, interview: Interview): Promise<InitFlags> {
  let answered = flags;
  for (const question of QUESTIONS) {
    while (!question.isAnswered(answered)) answered = await askOnce(question, answered, interview);
  }
  return answered;
}

/** The flags with an answer; without it where the answer is wrong. */
async function askOnce(question: Question, flags: InitFlags, { ask, say, check }: Interview): Promise<InitFlags> {
  const preset = question.preset(flags);
  const answer = (await ask(`${question.text}\n[${preset}] `)).trim();
  try {
    const answered = { ...flags, ...question.apply(answer === '' ? preset : answer) };
    check(answered);
    return answered;
  } catch (error) {
    if (!(error instanceof FleetwrightError)) throw error;
    say(error.diagnostics.map((problem) => `${formatDiagnostic(problem)}\n`).join(''));
    return flags;
  }
}
