/**
 * Registers many resources without stack traces. The SDK takes one for every promise that it keeps, some thirty a
 * resource, and tells the engine another: they take most of the time and much of the memory of a large stack. All that
 * they could say here is that we registered it; errors name the resource.
 */
export function withoutStackTraces<R>(register: () => R): R {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  // For the one that goes to the engine the SDK sets a limit of its own.
  Error.prepareStackTrace = String;
  try {
    return register();
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
