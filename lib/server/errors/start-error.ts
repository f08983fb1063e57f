import 'server-only'

/** Why the process cannot start, in one sentence for the operator; printed without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
