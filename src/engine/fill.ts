import type { Engine, Member } from '../api/engine';
import type { EngineProfile, Setting } from '../catalog/engines/profile';
import {
  adaptersOf,
  type Additions,
  modelAddition,
  NOTHING,
  takesArguments,
  together,
  type Variable,
} from './additions';
import { given, type Reading, readContainer } from './arguments';
import { usesRay } from './bootstrap';
import { ADAPTERS_PATH, type EngineFiles } from './files';
import type { EngineContainer } from './invocation';
import { isLoopback } from './loopback';
import { profileOf, servingMember } from './recognise';
import { phasePort } from './serving';
import type { Runs } from './runs';

/** What the members of an engine are told beyond what the user wrote. */
export interface Situation {
  readonly deployment: Runs;
  readonly engine: Engine;
  readonly member: Member;

  /** What the container says by itself. */
  readonly reading: Reading;
  readonly files: EngineFiles;
}

/** The situation of a member. A Worker that says nothing under `bootstrap: Auto` starts as its Leader does. */
export function situationOf(deployment: Runs, engine: Engine, member: Member, files: EngineFiles): Situation {
  const { profile } = profileOf(deployment, engine);
  return { deployment, engine, member, reading: readContainer(startOf(engine, member), profile), files };
}

/** The container of a member, with the command line of its Leader where it takes that. */
export function startOf(engine: Engine, member: Member): EngineContainer {
  const [own] = member.template.spec.containers;
  if (engine.bootstrap === 'None' || member.role !== 'Worker' || own.command || own.args) return own;
  const [{ command, args }] = servingMember(engine).template.spec.containers;
  return { ...own, ...(command && { command }), ...(args && { args }) };
}

/** Something that a profile adds where the user left it out. */
type Fill = (situation: Situation, profile: EngineProfile) => Additions;

const model: Fill = ({ reading, files }) =>
  files.model === undefined ? NOTHING : modelAddition(reading, files.model);

const adapters: Fill = ({ reading, files }) => adaptersOf(reading, files.adapters, ADAPTERS_PATH) ?? NOTHING;

/** An engine that listens on its own loopback only answers nobody. */
const host: Fill = ({ member, reading }, profile) => {
  const [flag] = profile.host.flags;
  if (member.role === 'Worker' || flag === undefined || !isLoopback(profile.host.default)) return NOTHING;
  return flags(reading, profile.host, [[flag, '0.0.0.0']]);
};

const port: Fill = ({ engine, member, reading }, profile) => {
  const [flag] = profile.port.flags;
  const wanted = phasePort(engine);
  if (wanted === undefined || member.role === 'Worker' || flag === undefined) return NOTHING;
  return profile.port.default === wanted ? NOTHING : flags(reading, profile.port, [[flag, String(wanted)]]);
};

const metrics: Fill = ({ member, reading }, profile) =>
  member.role === 'Worker' ? NOTHING : switches(reading, profile.metrics?.switches ?? []);

const disaggregation: Fill = ({ engine, reading }, profile) => {
  if (!engine.phase || !profile.disaggregation) return NOTHING;
  const { flags: byPhase, env, podFields } = profile.disaggregation;
  const added = byPhase[engine.phase].map((pair) => flags(reading, { flags: [pair[0]] }, [pair]));
  return together(...added, variables(reading, [...fromPod(podFields), ...literal(env)]));
};

const bootstrap: Fill = (situation, { bootstrap }) => {
  const { engine, member, reading } = situation;
  if (engine.bootstrap === 'None' || !bootstrap) return NOTHING;
  const own = variables(reading, fromPod(bootstrap.podFields));
  if (usesRay(situation.deployment, engine)) return own;
  const pairs = bootstrap.flags.map(
    ([flag, value]) => [flag, value.replace('{nodes}', nodesOf(engine))] as const,
  );
  const added = pairs.map((pair) => flags(reading, { flags: [pair[0]] }, [pair]));
  const quiet = member.role === 'Worker' ? switches(reading, bootstrap.workerSwitches) : NOTHING;
  return together(...added, quiet, own);
};

/** In the order in which arguments are added. */
const FILLS: readonly Fill[] = [model, adapters, host, port, metrics, disaggregation, bootstrap];

/** All that a profile adds to the container of a member. */
export function additionsTo(situation: Situation): Additions {
  const { profile } = situation.reading;
  return together(...FILLS.map((fill) => fill(situation, profile)));
}

/** The nodes of one copy of an engine. */
export function nodesOf({ members }: Engine): string {
  return String(
    members.reduce((sum, { role, worker }) => sum + (role === 'Worker' ? (worker?.nodes ?? 1) : 1), 0),
  );
}

/** Flags that are added unless the setting is given, or cannot be. */
function flags(reading: Reading, setting: Setting, pairs: readonly (readonly [string, string])[]): Additions {
  if (!takesArguments(reading) || given(reading, setting)) return NOTHING;
  return { args: pairs.map(([flag, value]) => `${flag}=${value}`), env: [] };
}

function switches(reading: Reading, all: readonly string[]): Additions {
  if (!takesArguments(reading)) return NOTHING;
  return { args: all.filter((flag) => !given(reading, { flags: [flag] })), env: [] };
}

function variables({ variables }: Reading, all: readonly Variable[]): Additions {
  return { args: [], env: all.filter(({ name }) => !variables.has(name)) };
}

function literal(env: Readonly<Record<string, string>>): Variable[] {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

function fromPod(fields: Readonly<Record<string, string>>): Variable[] {
  return Object.entries(fields).map(([name, fieldPath]) => ({
    name,
    valueFrom: { fieldRef: { fieldPath } },
  }));
}
