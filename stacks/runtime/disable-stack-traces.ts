/**
 * Registers resources without stack traces. The SDK captures one for every promise, about thirty for each resource,
 * and sends another to the engine: in a large stack they take most of the time and much of the memory. They would
 * only show this call; errors name the resource.
 */
export function withoutStackTraces<R>(register: () => R): R {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  // The SDK sets its own limit for the trace that it sends to the engine.
  Error.prepareStackTrace = String;
  try {
    return register();
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
