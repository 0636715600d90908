/** What KServe appends to the name of an LLMInferenceService for its Service (pkg/controller/v1alpha2/llmisvc). */
export const KSERVE_SERVICE_SUFFIX = '-kserve-workload-svc';

/** The port of that Service. It has no TLS unless `enableLLMInferenceServiceTLS` is set. */
export const KSERVE_SERVICE_PORT = 8000;
