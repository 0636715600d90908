import type { Command } from 'commander';
import { addFleetFlags, addOutputFlags, collectValues, createOutputOption } from './command-flags';
import { load } from './command-modules';
import type { FitFlags } from './commands/fit-flags';
import type { AddModelFlags, ModelFlags } from './commands/model';
import type { ExitCode } from './exit-code';
import type { Io } from './output';

/** Adds the commands on models. Their tables are loaded when one of them runs. */
export function addModelCommands(root: Command, io: Io, done: (code: ExitCode) => void): void {
  addFitCommand(root, io, done);
  const model = addOutputFlags(root.command('model').argument('[query]', 'a part of a name: qwen3, 70B', ''))
    .description('show the models that fit can size')
    .option('--fleet <dir>', 'also the models of this fleet')
    .option('--yaml', 'print their rows')
    .action((query: string, flags: ModelFlags) => done(load.model().runModel(query, flags, io)));
  model
    .command('add')
    .description('add the model of a folder with a config.json to a model catalog; works offline')
    .argument('<path>', 'the folder, or its config.json')
    .option('--name <repository>', 'the name of the model; default: from the cache of Hugging Face, else the folder')
    .addOption(createOutputOption('-o, --out <file>', 'the model catalog').default('models.yaml'))
    .option('--quiet', 'print nothing')
    .action((path: string, flags: AddModelFlags) => done(load.model().runAddModel(path, flags, io)));
}

function addFitCommand(root: Command, io: Io, done: (code: ExitCode) => void): void {
  addFleetFlags(
    root
      .command('fit')
      .argument('<model>', 'a repository: Qwen/Qwen3-32B')
      .argument('[dir]', 'a fleet: its hardware, prices and free GPUs; default: the whole catalog'),
  )
    .description('show the hardware and layouts that serve a model, with the number of requests and the price')
    .option('--context <tokens>', 'the tokens of a request: 32768, 32k, 32K; default: 8192')
    .option('--concurrency <n>', 'requests of that length at once; default: 1')
    .option('--kv-dtype <dtype>', 'the number format of the KV cache: auto, fp8, nvfp4')
    .option(
      '--quantization <format>',
      'the number format of the weights: bf16, fp8, int4, nvfp4; default: that of the model',
    )
    .option('--engine <name@version>', 'the engine; default: vllm@0.20')
    .option('--gpu-memory-utilization <share>', 'the share of the memory of a GPU; default: that of the engine')
    .option('--max-batched-tokens <n>', 'the most tokens of a step; default: that of the engine')
    .option('--kv-gib <GiB>', 'the KV cache memory of a GPU from the log of an engine, instead of an estimate')
    .option('--gpu <name>', 'only this GPU: h200, MI300X; without a fleet, the GPU alone, without machines and prices')
    .option('--tp <n>', 'this layout alone: tensor parallel size; --pp, --dp and --ep add to it')
    .option('--pp <n>', 'pipeline stages of this layout; default: 1')
    .option('--dp <n>', 'data parallel ranks of this layout; default: 1')
    .option('--ep <n>', 'the GPUs of this layout that share the experts; default: as engines do')
    .option('--requests-per-second <n>', 'say how many replicas carry this load, with the next two')
    .option('--input-tokens <n>', 'the tokens of a usual prompt')
    .option('--output-tokens <n>', 'the tokens of a usual answer')
    .option('--model-config <file>', 'the catalog row of an unknown model, or its config.json')
    .option('--measured <file>', 'add results of vllm bench serve, GuideLLM or AIPerf to the fleet', collectValues)
    .option('--all', 'also list the layouts that do not serve the model')
    .action((model: string, dir: string | undefined, flags: FitFlags) =>
      done(load.fit().runFit(model, dir, flags, io)),
    );
}
