import { errorAt, warningAt } from '../../base/diagnostic';
import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import { usesRay } from '../added-arguments';
import { findStartedProgram } from '../command-line';
import { findSetting, takesArguments } from '../container-settings';
import { namesModel } from '../model-files';
import { profileOf } from '../runtime-detection';
import { type MemberCheck, pathInContainer, startPathOf } from './member-check';

/** Checks that the declared runtime is the one that the container starts. */
export const checkRuntimeMatches: MemberCheck = function* ({ engine, member }) {
  const { runtime } = engine;
  if (runtime === undefined || member.role === 'Worker') return;
  const started = findStartedProgram(member.template.spec.containers[0], Object.values(ENGINE_PROFILES));
  if (!started || started.profile.runtime === runtime) return;
  const what = `the runtime is ${runtime}, and the container starts '${started.program}' of ${started.profile.title}`;
  yield errorAt('contradiction', ['runtime'], what, `Write 'runtime: ${started.profile.runtime}', or leave it out`);
};

/** Checks that the health check of an engine is known. */
export const checkHealthKnown: MemberCheck = function* (subject) {
  const { deployment, engine, member, serving } = subject;
  if (serving.health || deployment.spec.template.spec.healthCheck.enabled === false || member.role === 'Worker') return;
  const { by, evidence } = profileOf(deployment, engine);
  const what =
    by === 'nothing'
      ? `nothing tells the runtime of image '${evidence}', so nobody knows how to ask whether it serves`
      : `nobody knows how to ask an engine of runtime ${evidence} whether it serves`;
  const hint = "Set healthCheck.path, name a 'runtime' that we know, or set 'healthCheck.enabled: false'";
  yield errorAt('unknown-health', pathInContainer(subject, ['image']), what, hint);
};

/** Checks that a container has a command if its image starts no engine. */
export const checkEngineStarted: MemberCheck = function* (subject) {
  const { profile, invocation } = subject.settings;
  const { command = [] } = subject.member.template.spec.containers[0];
  const [program] = profile.programs;
  if (profile.entrypoint || program === undefined || invocation.form !== 'Hidden' || command.length > 0) return;
  if (isUnstartedWorker(subject)) return;
  const words = program.includes('.') ? `python3, -m, ${program}` : program.replaceAll(' ', ', ');
  const what = `the image of ${profile.title} starts no engine by itself`;
  const hint = `Write 'command: [${words}]', and its arguments in args`;
  yield warningAt('no-command', pathInContainer(subject, ['image']), what, hint);
};

/** Checks that an engine that needs a model gets one. */
export const checkModelNamed: MemberCheck = function* (subject) {
  const { settings, files } = subject;
  const { model, title } = settings.profile;
  if (model.without === undefined || !settings.complete || namesModel(settings)) return;
  if (files.unresolved || isUnstartedWorker(subject)) return;
  if (files.model !== undefined && takesArguments(settings)) return;
  const [flag] = model.flags;
  const asFlag = flag === undefined || model.positional ? 'as its first argument' : `with ${flag}`;
  yield errorAt(
    'no-model',
    startPathOf(subject),
    `${title} is told no model: ${model.without}`,
    files.model === undefined
      ? `Name the model ${asFlag}, or set modelCacheRef`
      : `Name ${files.model}, where its cache is, ${asFlag}: a script is never changed`,
  );
};

/** Whether a member is a Worker with neither command nor args that does not start as its Leader does. */
function isUnstartedWorker({ engine, member }: Parameters<MemberCheck>[0]): boolean {
  const { command, args } = member.template.spec.containers[0];
  return member.role === 'Worker' && engine.bootstrap === 'None' && !command && !args;
}

/** Checks that a Worker with neither command nor args joins its Leader. Images of unknown runtimes may see to it. */
export const checkWorkerJoins: MemberCheck = function* (subject) {
  const { settings, files } = subject;
  const { model, title, bootstrap, entrypoint, programs } = settings.profile;
  if (!isUnstartedWorker(subject) || programs.length === 0) return;
  if (entrypoint && (model.without === undefined || !settings.complete || namesModel(settings))) return;
  const starts = entrypoint ? `starts ${title} alone and never joins its Leader` : `starts no engine`;
  const what = `the Worker has neither command nor args, so its image ${starts}`;
  const own = 'the command or the args that join it to its Leader';
  const hint = bootstrap
    ? `Write 'bootstrap: Auto' at the engine to start it as its Leader does, or ${own}`
    : `Write ${own}`;
  const report = entrypoint && files.model === undefined ? errorAt : warningAt;
  yield report('no-bootstrap', startPathOf(subject), what, hint);
};

/** Checks that the bootstrap of a gang can be added to its containers. */
export const checkBootstrapWritable: MemberCheck = function* (subject) {
  const { deployment, engine, member, settings } = subject;
  if (engine.bootstrap === 'None') return;
  const { profile } = settings;
  if (!profile.bootstrap) {
    if (member.role === 'Worker') return;
    const what = `no arguments of ${profile.title} make several nodes one engine`;
    const hint = "Write 'bootstrap: None', and what starts the gang in its containers";
    yield errorAt('no-bootstrap', ['bootstrap'], what, hint);
  } else if (usesRay(deployment, engine) ? hasCommand(subject) : !takesArguments(settings)) {
    const what = `what makes the nodes of the gang find each other cannot be added to this command`;
    const hint = "Write its arguments in args, or 'bootstrap: None' and the variables FLEETWRIGHT_* in the command";
    yield errorAt('no-bootstrap', startPathOf(subject), what, hint);
  }
};

function hasCommand({ member }: Parameters<MemberCheck>[0]): boolean {
  const { command, args } = member.template.spec.containers[0];
  return command !== undefined || (member.role === 'Worker' && args !== undefined);
}

/** Checks that an engine of a pair supports its phase and transfers prompts. */
export const checkPhaseSupported: MemberCheck = function* (subject) {
  const { engine, settings } = subject;
  const { phase } = engine;
  const { disaggregation, title } = settings.profile;
  if (!phase) return;
  if (!disaggregation) {
    if (subject.member.role === 'Worker') return;
    const what = `${title} cannot take one phase of a request`;
    yield errorAt('no-phases', ['phase'], what, "Use vLLM or SGLang, or 'serving.mode: Unified'");
    return;
  }
  const missing = disaggregation.flags[phase].filter(([flag]) => !findSetting(settings, { flags: [flag] }));
  if (missing.length === 0 || !settings.complete || takesArguments(settings)) return;
  const words = missing.map(([flag, value]) => (value.includes('"') ? `${flag} '${value}'` : `${flag} ${value}`));
  const what = `nothing in the script makes ${title} hand prompts over, and a script is never changed`;
  yield warningAt('no-transfer', startPathOf(subject), what, `Add ${words.join(' ')}`);
};
