/** Flags of vLLM 0.23.0 that its profile does not read, as the parser of `vllm serve` lists them. */
const CURRENT = `
  --additional-config --aggregate-engine-logging --all2all-backend --allow-credentials
  --allow-deprecated-quantization --allowed-headers --allowed-local-media-path --allowed-media-domains
  --allowed-methods --allowed-origins --api-server-count --attention-backend --attention-config
  --calculate-kv-scales --chat-template --chat-template-content-format --code-revision --collect-detailed-traces
  --config-format --convert --cp-kv-cache-interleave-size --cpu-distributed-timeout-seconds --cpu-offload-params
  --cudagraph-capture-sizes --cudagraph-metrics --data-parallel-address --data-parallel-backend
  --data-parallel-multi-port-external-lb --data-parallel-rpc-port --data-parallel-start-rank
  --data-parallel-supervisor-port --dbo-decode-token-threshold --dbo-prefill-token-threshold --dcp-comm-backend
  --dcp-kv-cache-interleave-size --default-chat-template-kwargs --default-mm-loras
  --disable-access-log-for-endpoints --disable-cascade-attn --disable-chunked-mm-input --disable-custom-all-reduce
  --disable-fastapi-docs --disable-hybrid-kv-cache-manager --disable-log-stats
  --disable-nccl-for-dp-synchronization --disable-sliding-window --disable-uvicorn-access-log
  --distributed-timeout-seconds --download-dir --dp-supervisor-probe-failure-threshold
  --dp-supervisor-probe-interval-s --dp-supervisor-probe-timeout-s --ec-transfer-config --enable-auto-tool-choice
  --enable-chunked-prefill --enable-cumem-allocator --enable-dbo --enable-elastic-ep --enable-ep-weight-filter
  --enable-eplb --enable-flash-late-interaction --enable-flashinfer-autotune --enable-force-include-usage
  --enable-layerwise-nvtx-tracing --enable-log-deltas --enable-log-outputs --enable-log-requests
  --enable-logging-iteration-details --enable-mamba-cache-stochastic-rounding --enable-mfu-metrics
  --enable-mixed-moe-lora-format --enable-mm-embeds --enable-offline-docs --enable-prefix-caching
  --enable-prompt-embeds --enable-prompt-tokens-details --enable-request-id-headers --enable-return-routed-experts
  --enable-server-load-tracking --enable-sleep-mode --enable-ssl-refresh --enable-tokenizer-info-endpoint
  --enable-tower-connector-lora --eplb-config --exclude-tools-when-tool-choice-none --expert-placement-strategy
  --fail-on-environ-validation --fingerprint-mode --fingerprint-value --fully-sharded-loras --gdn-prefill-backend
  --generation-config --grpc --h11-max-header-count --h11-max-incomplete-event-size --hf-token --ignore-patterns
  --interleave-mm-strings --io-processor-plugin --ir-op-priority --kernel-config --kv-cache-dtype-skip-layers
  --kv-cache-metrics --kv-cache-metrics-sample --kv-events-config --kv-offloading-backend --kv-offloading-size
  --kv-sharing-fast-prefill --linear-backend --load-format --log-config-file --log-error-stack --logits-processors
  --logprobs-mode --long-prefill-token-threshold --lora-dtype --lora-target-modules --mamba-backend
  --mamba-block-size --mamba-cache-dtype --mamba-cache-mode --mamba-cache-philox-rounds --mamba-ssm-cache-dtype
  --master-port --max-cpu-loras --max-cudagraph-capture-size --max-log-len --max-logprobs
  --max-long-partial-prefills --max-lora-rank --max-loras --max-num-partial-prefills
  --max-parallel-loading-workers --media-io-kwargs --middleware --mm-encoder-attn-backend --mm-encoder-attn-dtype
  --mm-encoder-fp8-scale-path --mm-encoder-fp8-scale-save-margin --mm-encoder-fp8-scale-save-path
  --mm-encoder-only --mm-encoder-tp-mode --mm-processor-cache-gb --mm-processor-cache-type --mm-processor-kwargs
  --mm-shm-cache-max-object-size-mb --mm-tensor-ipc --model-impl --model-loader-extra-config --moe-backend
  --numa-bind --numa-bind-cpus --numa-bind-nodes --offload-backend --offload-group-size --offload-num-in-group
  --offload-params --offload-prefetch-step --optimization-level --otlp-traces-endpoint --override-attention-dtype
  --override-generation-config --performance-mode --pooler-config --prefix-caching-hash-algo --profiler-config
  --pt-load-map-location --quantization-config --ray-workers-use-nsight --reasoning-config --reasoning-parser
  --reasoning-parser-plugin --renderer-num-workers --response-role --return-tokens-as-token-ids --root-path
  --runner --safetensors-load-strategy --safetensors-prefetch-block-size --safetensors-prefetch-num-threads
  --scheduler-cls --scheduler-reserve-full-isl --scheduling-policy --seed --show-hidden-metrics-for-version
  --shutdown-timeout --skip-mm-profiling --skip-tokenizer-init --spec-method --spec-model --spec-tokens
  --specialize-active-lora --speculative-config --ssl-ca-certs --ssl-cert-reqs --ssl-certfile --ssl-ciphers
  --ssl-keyfile --stream-interval --structured-outputs-config --tokenizer --tokenizer-mode --tokenizer-revision
  --tokens-only --tool-call-parser --tool-parser-plugin --tool-server --trust-request-chat-template --ubatch-size
  --uds --use-fp64-gumbel --use-tqdm-on-load --uvicorn-log-level --video-pruning-rate --weight-transfer-config
  --worker-cls --worker-extension-cls
`;

/** Flags of earlier releases. */
const EARLIER = '--disable-log-requests --guided-decoding-backend --num-speculative-tokens --swap-space --task';

/** Names of flags, to recognize misspelled ones. `--no-` before the name of a switch is left out. */
export const VLLM_FLAGS: readonly string[] = `${CURRENT} ${EARLIER}`.split(/\s+/).filter((flag) => flag !== '');
