// The target violates a requirement. Below all other files of the client, because responses throw it too.

export class Failure extends Error {
  override readonly name = 'Failure';
}
