/** Nobody's Keystone token is there to make a change's calls with. */
export class SignInEnded extends Error {
  override readonly name = 'SignInEnded'
}
