import { existsSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { CI_SYSTEMS, GITOPS_TOOLS } from '../../analyze/starter/starter-answers';
import { MANAGED_STARTER_CLOUDS, STARTER_CLOUD_NAMES } from '../../analyze/starter/starter-clouds';
import type * as Pools from '../../analyze/starter/starter-pools';
import { clusterLabelsOf } from '../../api/cluster-labels';
import type * as Reference from '../../api/field-reference';
import { CLUSTER_LABEL, REGION_LABEL } from '../../api/labels';
import { sortUnique } from '../../base/order';
import { idText } from '../../base/text';
import { SIZED_ENGINES } from '../../catalog/engine-overheads';
import { findProgram } from '../../files/fleet-paths';
import { BUILT_IN_CATALOGUE } from '../../fleet/hardware/hardware';
import { BUILT_IN_MODELS } from '../../fleet/models/model-book';
import { FORMAT_NAMES, KV_DTYPES } from '../../sizing/quantization';
import { EXIT, type ExitCode } from '../exit-code';
import { EXAMPLES } from '../help';
import type { Io } from '../output';
import { type DeclaredInput, readInput } from '../read-inputs';

type Resources = DeclaredInput['resources'];

/** The words that are possible at a place. `resources` reads the fleet. */
type WordSource = (resources: () => Resources, word: string) => readonly string[];

const clusters: WordSource = (resources) => namesOf(resources(), 'InferenceCluster');
const deployments: WordSource = (resources) => idsOf(resources(), 'ModelDeployment');
const services: WordSource = (resources) => idsOf(resources(), 'ModelService');
const pools: WordSource = (resources) =>
  resources().flatMap((one) =>
    one.kind === 'InferenceCluster' ? one.spec.nodePools.map(({ name }) => `${one.metadata.name}/${name}`) : [],
  );
const engines: WordSource = (resources) =>
  resources().flatMap((one) =>
    one.kind === 'ModelDeployment'
      ? (one.spec.template.spec.engines ?? []).map(
          ({ name }) => `${idText(one.metadata.namespace, one.metadata.name)}/${name}`,
        )
      : [],
  );

/** Failure domains: `region`, and the labels of clusters. */
const domains: WordSource = (resources) => domainsOf(resources()).map(([domain]) => domain);
const valuesOfDomains: WordSource = (resources) => domainsOf(resources()).map((pair) => pair.join('='));
const models: WordSource = () => [...BUILT_IN_MODELS.models.keys()];
const gpus: WordSource = () => [...BUILT_IN_CATALOGUE.gpus.keys()];

/** The GPUs that `init` takes, and those of a cloud once an equals sign follows its name. */
const gpusByCloud: WordSource = (_, word) => {
  const { gpusOfCloud } = require('../../analyze/starter/starter-pools') as typeof Pools;
  const named = STARTER_CLOUD_NAMES.find((cloud) => (word.split(',').at(-1) ?? '').startsWith(`${cloud}=`));
  if (named !== undefined) return gpusOfCloud(named).map((gpu) => `${named}=${gpu}`);
  return [...sortUnique(STARTER_CLOUD_NAMES.flatMap(gpusOfCloud)), ...STARTER_CLOUD_NAMES.map((cloud) => `${cloud}=`)];
};

/** The words of a list that commas separate: those that follow what is written. */
const listOf =
  (source: WordSource): WordSource =>
  (resources, word) => {
    const written = word.split(',').slice(0, -1);
    const others = source(resources, word).filter((one) => !written.includes(one));
    return others.map((one) => [...written, one].join(','));
  };

/** What flags take, by the flag. Flags with choices state them. */
const FLAG_WORDS: Readonly<Record<string, WordSource>> = {
  '--only': (resources) => {
    const ids = idsOf(resources(), 'ModelDeployment');
    return [...ids, ...ids.map((id) => id.split('/')[0] ?? id)];
  },
  '--cluster': clusters,
  '--service': services,
  '--endpoint': (resources) => idsOf(resources(), 'ModelEndpoint'),
  '--model': models,
  '--gpu': gpus,
  '--gpus': listOf(gpusByCloud),
  '--engine': () => SIZED_ENGINES,
  '--quantization': () => Object.keys(FORMAT_NAMES),
  '--kv-dtype': () => Object.keys(KV_DTYPES),
  '--clouds': listOf(() => STARTER_CLOUD_NAMES),
  '--existing': listOf(() => MANAGED_STARTER_CLOUDS),
  '--gitops': () => GITOPS_TOOLS,
  '--ci': () => CI_SYSTEMS,
};

/** What flags take, by the form that help shows: all of it, or up to its equals sign. */
const FORM_WORDS: Readonly<Record<string, WordSource>> = {
  cluster: clusters,
  'cluster/pool': pools,
  deployment: deployments,
  'namespace/deployment': deployments,
  'namespace/deployment/engine': engines,
  domain: domains,
  'domain=value': valuesOfDomains,
};

/** What the first argument of a command is. */
const ARGUMENT_WORDS: Readonly<Record<string, WordSource>> = {
  doctor: clusters,
  explain: (resources, word) => {
    const { listFieldPaths } = require('../../api/field-reference') as typeof Reference;
    const depth = word.split('.').length - 1;
    if (depth > 0) return listFieldPaths(depth);
    const classes = namesOf(resources(), 'InferenceClass').map((name) => `class/${name}`);
    return [
      ...deployments(resources, word),
      ...services(resources, word),
      ...clusters(resources, word),
      ...classes,
      ...idsOf(resources(), 'ModelCache').map((id) => `cache/${id}`),
      ...listFieldPaths(0),
    ];
  },
  fit: models,
  completion: () => ['bash', 'zsh', 'fish'],
};

/** Words with other characters are left out: shells expand them. */
const PLAIN_WORD = /^[\w./=@:+,-]+$/;

/**
 * `fleetwright complete-words -- WORDS...`: prints what the last word of a command line can be, one a line. Used by the
 * completion scripts. Runs no program of a fleet, prints no problem, and always succeeds.
 */
export function runComplete(words: readonly string[], root: Command, io: Io): ExitCode {
  try {
    const { joined, omitted } = joinAroundEquals(words);
    const found = findWords(joined, root, io)
      .filter((one) => PLAIN_WORD.test(one) && one.startsWith(joined.at(-1) ?? ''))
      .map((one) => one.slice(omitted.length));
    if (found.length > 0) io.out(`${sortUnique(found).join('\n')}\n`);
  } catch {
    // A shell shows what a completion prints in the middle of the line that a person types.
  }
  return EXIT.ok;
}

interface JoinedWords {
  readonly joined: readonly string[];

  /** What the shell has of the last word before what it completes. */
  readonly omitted: string;
}

/**
 * Bash splits words at equals signs: `--lose = us` is the flag `--lose` and its value `us`, and `region = us` is the
 * value `region=us`, of which it completes what follows the sign.
 */
function joinAroundEquals(words: readonly string[]): JoinedWords {
  const joined: string[] = [];
  let omitted = '';
  for (const [i, word] of words.entries()) {
    const last = joined.at(-1) ?? '';
    const isSign = word === '=' && i > 1;
    const isAfterSign = words[i - 1] === '=' && i > 2;
    omitted = '';
    if (isSign && last.startsWith('-')) joined.push('');
    else if (isSign) joined.push(`${joined.pop()}=`);
    else if (isAfterSign) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
    const value = joined.at(-1) ?? '';
    if (isSign || isAfterSign) omitted = value.slice(0, value.lastIndexOf('=') + 1);
  }
  return { joined, omitted };
}

function findWords([name = '', ...words]: readonly string[], root: Command, io: Io): readonly string[] {
  const command = root.commands.find((one) => one.name() === name);
  const word = words.at(-1);
  if (!command || word === undefined) return Object.keys(EXAMPLES).filter((one) => one !== root.name());
  const resources = (): Resources => readResources(words.slice(0, -1), io);
  const before = words.at(-2) ?? '';
  const option = command.options.find(({ long, short }) => before !== '' && [long, short].includes(before));
  if (option && (option.required || option.optional)) return wordsOfFlag(option, resources, word);
  if (word.startsWith('-')) return command.options.flatMap(({ long }) => long ?? []);
  const isFirst = words.slice(0, -1).every((one) => one.startsWith('-'));
  return isFirst ? (ARGUMENT_WORDS[name]?.(resources, word) ?? []) : [];
}

function wordsOfFlag(option: Option, resources: () => Resources, word: string): readonly string[] {
  if (option.argChoices) return option.argChoices;
  const byName = FLAG_WORDS[option.long ?? ''];
  if (byName) return byName(resources, word);
  const [, form = ''] = /[<[]([^>\]]+)/.exec(option.flags) ?? [];
  const [start = '', value] = form.toLowerCase().split('=');
  const whole = FORM_WORDS[form.toLowerCase()];
  if (whole) return whole(resources, word);
  const end = value === undefined ? '' : '=';
  return (FORM_WORDS[start]?.(resources, word) ?? []).map((one) => one + end);
}

/** The sound declarations of the fleet that the words name, else of the working directory. Programs are not run. */
function readResources(words: readonly string[], io: Io): Resources {
  const target = words.findLast((one) => !one.startsWith('-') && existsSync(one)) ?? '.';
  return findProgram(target) ? [] : readInput(target, {}, { ...io, progress: undefined }).resources;
}

function namesOf(resources: Resources, kind: string): string[] {
  return resources.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
}

function idsOf(resources: Resources, kind: string): string[] {
  return resources
    .filter((one) => one.kind === kind)
    .map(({ metadata: { namespace, name } }) => idText(namespace, name));
}

/** Each label of clusters with each of its values. The region has its short name. */
function domainsOf(resources: Resources): [string, string][] {
  return resources.flatMap((one) => {
    if (one.kind !== 'InferenceCluster') return [];
    const labels = Object.entries(clusterLabelsOf(one)).filter(([label]) => label !== CLUSTER_LABEL);
    return labels.map(([label, value]): [string, string] => [label === REGION_LABEL ? 'region' : label, value]);
  });
}
