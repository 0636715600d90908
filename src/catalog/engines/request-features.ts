import type { EngineSetting } from './engine-profile';
import type { Runtime } from './runtimes';

/** A setting without which an engine refuses some requests, or answers them in another form. */
interface RequestFeature extends EngineSetting {
  /** What clients request, as the end of a sentence: `tool calls`. */
  readonly name: string;
}

/** What the settings of a runtime let clients request. */
export interface RequestFeatures {
  /**
   * The longest request in tokens, with its answer. Absent: the setting with which the profile computes memory, if it has
   * one.
   */
  readonly context?: EngineSetting;
  readonly features: readonly RequestFeature[];
}

const TOOL_CALLS = 'tool calls';
const REASONING = 'reasoning apart from the answer';

/** From the references of the commands: `vllm serve`, `sglang.launch_server`, `lmdeploy serve`, `trtllm-serve`. */
export const REQUEST_FEATURES: Readonly<Partial<Record<Runtime, RequestFeatures>>> = {
  vLLM: {
    features: [
      { name: TOOL_CALLS, flags: ['--enable-auto-tool-choice'] },
      { name: TOOL_CALLS, flags: ['--tool-call-parser'] },
      { name: REASONING, flags: ['--reasoning-parser'] },
    ],
  },
  SGLang: {
    features: [
      { name: TOOL_CALLS, flags: ['--tool-call-parser'] },
      { name: REASONING, flags: ['--reasoning-parser'] },
    ],
  },
  LMDeploy: {
    context: { flags: ['--session-len'] },
    features: [
      { name: TOOL_CALLS, flags: ['--tool-call-parser'] },
      { name: REASONING, flags: ['--reasoning-parser'] },
    ],
  },
  TensorRTLLM: {
    context: { flags: ['--max_seq_len'] },
    features: [
      { name: TOOL_CALLS, flags: ['--tool_parser'] },
      { name: REASONING, flags: ['--reasoning_parser'] },
    ],
  },
};
