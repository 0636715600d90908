/** The images that the vendor of a runtime publishes. Mirrors keep their paths and tags. */
export interface PublishedImages {
  /** Without registry. The vendor may publish others. */
  readonly repositories: readonly string[];

  /** The tag of one release: the tags of all others begin with `v` if it does. */
  readonly tag: string;
}

/** Facts: docs.vllm.ai, "Using Docker". */
export const VLLM_IMAGES: PublishedImages = {
  repositories: ['vllm/vllm-openai', 'vllm/vllm-openai-rocm'],
  tag: 'v0.23.0',
};

/** Facts: docs.sglang.io, "Install SGLang". */
export const SGLANG_IMAGES: PublishedImages = { repositories: ['lmsysorg/sglang'], tag: 'v0.5.9' };

/** Facts: huggingface.co/docs/text-generation-inference, "Quick Tour". */
export const TGI_IMAGES: PublishedImages = { repositories: ['huggingface/text-generation-inference'], tag: '3.3.5' };

/** Facts: catalog.ngc.nvidia.com, "TensorRT-LLM Release". */
export const TENSORRT_LLM_IMAGES: PublishedImages = { repositories: ['nvidia/tensorrt-llm/release'], tag: '1.2.0' };
