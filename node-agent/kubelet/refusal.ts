// A request that the kubelet does not serve, with the HTTP status and the text of its answer.
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
