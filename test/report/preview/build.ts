/** The URN of a resource below a stack. */
export function urnOf(type: string, name: string): string {
  return `urn:pulumi:prod::fleet::fleetwright:index:FleetStack$${type}::${name}`;
}

/** The step of a document that `pulumi preview --json` prints. */
export function step(op: string, type: string, name: string, more: object = {}): object {
  return { op, urn: urnOf(type, name), detailedDiff: null, ...more };
}

/** The document of `pulumi preview --json`. */
export function digest(steps: readonly object[], diagnostics: readonly object[] = []): string {
  return JSON.stringify({ config: {}, steps, diagnostics, changeSummary: {} }, undefined, 4);
}

/** The events that `pulumi preview --json` prints a line each, if the environment asks for them. */
export function events(...all: readonly object[]): string {
  return all.map((one, sequence) => `${JSON.stringify({ sequence, timestamp: 1, ...one })}\n`).join('');
}
