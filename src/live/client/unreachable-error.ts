/** A cluster that gave no answer: its network, its certificate or the credentials. The message is a clause. */
export class UnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unreachable';
  }
}
