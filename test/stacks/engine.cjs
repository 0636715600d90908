/**
 * A small engine for Pulumi programs: what a program talks to, without the command, providers or state. It runs
 * programs unchanged in the language host of @pulumi/pulumi and keeps what they register.
 */
const { fork, spawn } = require('node:child_process');
const { once } = require('node:events');
const { dirname, join } = require('node:path');
const grpc = require('@grpc/grpc-js');
const { EngineService } = require('@pulumi/pulumi/proto/engine_grpc_pb');
const engineMessages = require('@pulumi/pulumi/proto/engine_pb');
const { ResourceMonitorService } = require('@pulumi/pulumi/proto/resource_grpc_pb');
const providerMessages = require('@pulumi/pulumi/proto/provider_pb');
const messages = require('@pulumi/pulumi/proto/resource_pb');
const { Empty } = require('google-protobuf/google/protobuf/empty_pb');
const { Struct } = require('google-protobuf/google/protobuf/struct_pb');

const FEATURES = new Set(['secrets', 'resourceReferences', 'outputValues', 'aliasSpecs', 'deletedWith']);

/** The answer of the engine to registrations after a step that failed. */
const STOPPED = { code: grpc.status.UNAVAILABLE, details: 'resource monitor shut down' };

/** What stands for a value that is not known before the update. */
const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/**
 * Runs a program.
 *
 * @param {{ program: string, root: string, project: string, config: Record<string, string>, secrets?: string[],
 *   preview: boolean, require?: string, host?: object, flags?: string[], typescript?: boolean, transpileOnly?: boolean,
 *   known?: (type: string) => boolean,
 *   fails?: (type: string, name: string) => boolean,
 *   made?: (type: string, name: string, inputs: object) => object | Promise<object>,
 *   answer?: (token: string) => object }} options
 * @returns {Promise<{ code: number, registered: object[], outputs: object, said: string[], debugged: string[],
 *   ms: number }>}
 */
exports.run = async function run(options) {
  const state = { registered: [], outputs: {}, said: [], debugged: [], ...options };
  const server = new grpc.Server();
  server.addService(ResourceMonitorService, monitorOf(state));
  server.addService(EngineService, engineOf(state));
  const port = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const start = performance.now();
  const code = await hosted(options, `127.0.0.1:${port}`, state);
  server.forceShutdown();
  const { registered, outputs, said, debugged } = state;
  return { code, registered, outputs, said, debugged, ms: performance.now() - start };
};

async function hosted(options, address, { said }) {
  const { program, root, project, config, secrets = [], preview, host } = options;
  const { typescript = false, transpileOnly = false } = options;
  const settings = {
    monitor: address,
    engine: address,
    project,
    stack: 'test',
    'root-directory': root,
    parallel: '8',
    ...(preview && { 'dry-run': true }),
  };
  const env = {
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secrets),
    PULUMI_NODEJS_TYPESCRIPT: String(typescript),
    ...(transpileOnly && { PULUMI_NODEJS_TRANSPILE_ONLY: 'true' }),
  };
  if (!host) return inOwnProcess(options, settings, env, said);
  const ended = await host.run({ program, settings, env });
  said.push(...ended.said);
  return ended.code;
}

function inOwnProcess({ program, require: hook, flags = [] }, settings, env, said) {
  // A program runs on the SDK that its own folder has.
  const main = require.resolve('@pulumi/pulumi/cmd/run', { paths: [dirname(program), __dirname] });
  const given = Object.entries({ ...settings, pwd: dirname(program) });
  const args = given.flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]));
  const child = spawn(process.execPath, [...flags, ...(hook ? ['-r', hook] : []), main, ...args, program], {
    env: { ...process.env, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)));
  return new Promise((resolve) => child.on('close', resolve));
}

/** A process that runs many programs spent a fifth of its time on garbage, with the small young generation of the default. */
const HOST_FLAGS = ['--single-threaded-gc', '--max-semi-space-size=64', '--min-semi-space-size=64'];

/**
 * Starts a process that runs programs from sources one after the other (`shared-host.cjs`).
 *
 * @returns {{ run(program: object): Promise<{ code: number, said: string[] }>, stop(): void }}
 */
exports.startHost = function startHost(hook) {
  const child = fork(join(__dirname, 'shared-host.cjs'), { execArgv: [...HOST_FLAGS, '-r', hook], env: process.env });
  const ended = once(child, 'exit').then(([code]) => ({ code: code ?? 1, said: ['the host of all programs ended'] }));
  let last = Promise.resolve();
  const run = async (program) => {
    if (!child.connected) return ended;
    child.send(program);
    return Promise.race([ended, once(child, 'message').then(([answer]) => answer)]);
  };
  return {
    run: (program) => (last = last.then(() => run(program))),
    stop: () => child.disconnect(),
  };
};

/** A service that can nothing yet. */
function nothing(service) {
  return Object.fromEntries(Object.keys(service).map((name) => [name, refuse]));
}

function refuse(_, reply) {
  reply({ code: grpc.status.UNIMPLEMENTED, message: 'not here' });
}

function monitorOf(state) {
  return {
    ...nothing(ResourceMonitorService),
    supportsFeature({ request }, reply) {
      const answer = new messages.SupportsFeatureResponse();
      answer.setHassupport(FEATURES.has(request.getId()));
      reply(null, answer);
    },
    registerResource({ request }, reply) {
      // A step that fails ends the run: the engine registers nothing from then on.
      state.stopped ||= state.fails?.(request.getType(), request.getName()) ?? false;
      if (state.stopped) {
        reply(STOPPED);
        return;
      }
      registered(request, state).then(
        (answer) => reply(null, answer),
        ({ message }) => reply({ code: grpc.status.UNKNOWN, message }),
      );
    },
    invoke({ request }, reply) {
      try {
        const answer = new providerMessages.InvokeResponse();
        answer.setReturn(Struct.fromJavaScript(state.answer(request.getTok())));
        reply(null, answer);
      } catch ({ message }) {
        reply({ code: grpc.status.UNKNOWN, message });
      }
    },
    registerResourceOutputs({ request }, reply) {
      const isStack = request.getUrn().includes('::pulumi:pulumi:Stack::');
      if (isStack) state.outputs = request.getOutputs()?.toJavaScript() ?? {};
      reply(null, new Empty());
    },
    signalAndWaitForShutdown: (_, reply) => reply(null, new Empty()),
  };
}

async function registered(request, state) {
  const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
  const above = parent === '' ? '' : parent.split('::')[2];
  const types = above === '' || above === 'pulumi:pulumi:Stack' ? type : `${above}$${type}`;
  const urn = `urn:pulumi:test::${state.project}::${types}::${name}`;
  const inputs = request.getObject()?.toJavaScript() ?? {};
  state.registered.push({
    type,
    name,
    urn,
    parent,
    provider: request.getProvider(),
    inputs,
    message: request,
  });
  const answer = new messages.RegisterResourceResponse();
  answer.setUrn(urn);
  if (request.getCustom()) answer.setId(state.preview ? '' : `${name}-id`);
  const known = !state.preview || (state.known?.(type) ?? true);
  answer.setObject(Struct.fromJavaScript(known ? await outputsOf(request, inputs, state) : unknownOf(inputs)));
  return answer;
}

function outputsOf(request, inputs, { preview, made }) {
  return preview || !made ? inputs : made(request.getType(), request.getName(), inputs);
}

function unknownOf(inputs) {
  return Object.fromEntries(Object.keys(inputs).map((key) => [key, UNKNOWN]));
}

function engineOf(state) {
  return {
    ...nothing(EngineService),
    log({ request }, reply) {
      // The rest is for those who look for faults in the SDK.
      if (request.getSeverity() > engineMessages.LogSeverity.DEBUG) state.said.push(request.getMessage());
      else state.debugged.push(request.getMessage());
      reply(null, new Empty());
    },
    getRootResource(_, reply) {
      const answer = new engineMessages.GetRootResourceResponse();
      answer.setUrn(state.rootUrn ?? '');
      reply(null, answer);
    },
    setRootResource({ request }, reply) {
      state.rootUrn = request.getUrn();
      reply(null, new engineMessages.SetRootResourceResponse());
    },
  };
}
